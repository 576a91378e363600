/** Documents that are nested deeper than libraries like: each codec carries them, or says why it cannot. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, expect, it } from "vitest";
import { inferDataset } from "../../src/catalog/infer-dataset.ts";
import { Registry } from "../../src/catalog/registry.ts";
import { provenBinding } from "../../src/measure/prove.ts";
import { refusal } from "../../src/model/errors.ts";

const folder = mkdtempSync(path.join(os.tmpdir(), "wirebench-deep-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const registry = await Registry.open();
const codecs = await Promise.all((await registry.selectCodecs(["*"])).map((name) => registry.codec(name)));

it.each([
  ["objects", `${'{"a":'.repeat(300)}1${"}".repeat(300)}`],
  ["lists", `${"[".repeat(400)}1${"]".repeat(400)}`],
  ["a tree", `${'{"kids":[{"id":1},'.repeat(200)}{"id":2}${"]}".repeat(200)}`],
])("%s", async (name, text) => {
  const file = path.join(folder, `${name}.json`);
  writeFileSync(file, text);
  const dataset = await inferDataset({ data: file });
  const carried: string[] = [];
  for (const codec of codecs) {
    try {
      await provenBinding(codec, dataset, { most: 1 });
      carried.push(codec.name);
    } catch (error) {
      const { status, reason } = refusal(error);
      expect(status, `${codec.name}: ${reason}`).toBe("unsupported");
    }
  }
  for (const codec of ["json", "protobufjs", "msgpack", "msgpackr", "flatbuffers"])
    expect(carried).toContain(codec);
});
