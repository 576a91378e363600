import { describe, expect, it } from "vitest";
import { namedDataset } from "../../../src/catalog/dataset.ts";
import { Registry } from "../../../src/catalog/registry.ts";
import { usesOf } from "../../../src/schema/regions/uses.ts";
import { encodeValue } from "../../../src/schema/values/transcode.ts";

const registry = await Registry.open();

async function usesIn(name: string, dataset: string) {
  const codec = await registry.codec(name);
  const data = await namedDataset(registry, dataset);
  const bytes = Buffer.from(encodeValue(await codec.bind(data), data.values[0]!));
  return {
    bytes,
    uses: usesOf(bytes, codec, data),
    again: (given: Uint8Array) => usesOf(given, codec, data),
  };
}

describe("what the bytes of a message are for", () => {
  it.each([
    "protobufjs",
    "flatbuffers",
    "capnp-ts",
    "raw-struct",
    "json",
    "msgpackr",
    "v8",
    "avsc",
    "bson",
    "ion-js",
  ])("adds up to the message of %s", async (name) => {
    const { bytes, uses } = await usesIn(name, "tellist");
    expect(Object.values(uses!).reduce((sum, one) => sum + one)).toBe(bytes.length);
    // Its names have 249 bytes in UTF-8.
    expect(uses!.text).toBe(name === "json" ? 249 + 2 * 37 : 249);
  });

  it("has keys where the bytes name fields, and padding where they are aligned", async () => {
    expect((await usesIn("json", "tellist")).uses!.keys).toBeGreaterThan(0);
    expect((await usesIn("protobufjs", "tellist")).uses).toMatchObject({ keys: 0, padding: 0, blobs: 0 });
    expect((await usesIn("flatbuffers", "tellist")).uses!.padding).toBeGreaterThan(0);
  });

  it("is not known of bytes that are compressed, damaged or many", async () => {
    expect((await usesIn("erlang-etf:z6", "tellist")).uses).toBeUndefined();
    const { bytes, again } = await usesIn("protobufjs", "tellist");
    expect(again(bytes.subarray(0, 100))).toBeUndefined();
    expect((await usesIn("msgpackr", "frame")).uses).toBeUndefined();
  });
});
