import { afterEach, describe, expect, it, vi } from "vitest";
import { namedDataset } from "../../../src/catalog/dataset.ts";
import { Registry } from "../../../src/catalog/registry.ts";
import { provenBinding } from "../../../src/measure/prove.ts";
import type { CodecVariant } from "../../../src/model/codec.ts";
import plugin from "../../../src/suite/doctor/known-cost.ts";
import {
  INJECTED,
  MESSAGE,
  MESSAGES,
  SLOWED,
  slowedBy,
  unslowed,
} from "../../../src/suite/doctor/known-shares.ts";

const dataset = await namedDataset(await Registry.open(), MESSAGE);
const shares = [["", 0], ...INJECTED] as const;

function variantOf(codec: string, share: string): CodecVariant {
  const name = share === "" ? unslowed(codec) : slowedBy(codec, share);
  return plugin.variants![name.slice(name.indexOf(":") + 1)]!;
}

afterEach(() => {
  vi.restoreAllMocks();
});

describe("a codec that is slowed", () => {
  it.each(shares)("makes each message so many times as its share says: json %s", async (variant, share) => {
    // Before it is bound, which may take the functions as they are.
    const [stringify, parse] = [vi.spyOn(JSON, "stringify"), vi.spyOn(JSON, "parse")];
    const binding = await variantOf("json", variant).bind(dataset);
    vi.clearAllMocks();
    const bytes = binding.write(binding.build(dataset.values[0]!));
    expect(binding.plain(binding.read(bytes))).toEqual(dataset.values[0]);
    expect([stringify, parse].map(({ mock }) => mock.calls.length / MESSAGES)).toEqual([
      1 + share,
      1 + share,
    ]);
  });

  it.each(SLOWED)("writes what the codec writes, and passes its proof: %s", async (codec) => {
    const own = await (await Registry.open()).codec(codec);
    const { encoded } = await provenBinding(own, dataset);
    for (const [variant] of shares) {
      const slower = await provenBinding(variantOf(codec, variant), dataset);
      expect(slower.encoded.map((bytes) => [...(bytes as Uint8Array)])).toEqual(
        encoded.map((bytes) => [...(bytes as Uint8Array)]),
      );
    }
  });

  it("is all that the plugin has beside the codec of known cost", () => {
    expect(Object.keys(plugin.variants!)).toHaveLength(SLOWED.length * shares.length);
  });
});
