/** Where no code may be made of strings, codecs carry what they carry elsewhere, and make the same bytes. */
import { spawnSync } from "node:child_process";
import path from "node:path";
import { describe, expect, it } from "vitest";

const ROOT = path.join(import.meta.dirname, "../..");

/** Prints, for each codec without a compiler of its own, what it makes of datasets. */
const PROGRAM = `
import { createHash } from "node:crypto";
import { namedDataset } from "./dist/catalog/dataset.js";
import { Registry } from "./dist/catalog/registry.js";
import { firstDifference } from "./dist/model/value.js";
import { decodeTrusted, encodeValue } from "./dist/schema/values/transcode.js";
const registry = await Registry.open([]);
const lines = [];
for (const name of ["tellist:3", "garden", "packet-small", "speed-small"]) {
  const dataset = await namedDataset(registry, name);
  for (const codecName of await registry.selectCodecs(["*"])) {
    const codec = await registry.codec(codecName);
    // The library makes the code of pbjs when it is bound; what pbjs prints needs no eval.
    if (codec.traits.includes("needs-eval") || codecName === "protobufjs:static") continue;
    try {
      const binding = await codec.bind(dataset);
      const [value] = dataset.values;
      let encoded, difference;
      // Codecs make code for shapes that come again.
      for (let i = 0; i < 40; i++) {
        encoded = encodeValue(binding, value);
        difference ??= firstDifference(value, decodeTrusted(binding, encoded));
      }
      binding.verify(encoded);
      const sum = binding.access(encoded);
      lines.push([name, codecName, createHash("sha256").update(encoded).digest("hex"), sum, difference ?? ""].join(" "));
    } catch (error) {
      lines.push([name, codecName, error.constructor.name, error.message].join(" "));
    }
  }
}
console.log(lines.join("\\n"));
`;

function printed(...flags: readonly string[]): string[] {
  const { stdout, stderr } = spawnSync(process.execPath, [...flags, "--input-type=module", "-e", PROGRAM], {
    cwd: ROOT,
    encoding: "utf8",
  });
  expect(stderr).toBe("");
  return stdout.split("\n");
}

describe("without code of strings", () => {
  it("every codec makes the same bytes and the same sums", () => {
    const compiled = printed();
    expect(compiled.length).toBeGreaterThan(100);
    expect(printed("--disallow-code-generation-from-strings")).toEqual(compiled);
  });
});
