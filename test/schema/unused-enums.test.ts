/** Enums that no field refers to: each printed schema declares those that its language can hold. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, expect, it } from "vitest";
import { loadSchema } from "../../src/catalog/load-dataset.ts";
import { emitCapnp } from "../../src/schema/emit/capnp.ts";
import { emitFbs } from "../../src/schema/emit/fbs.ts";
import { emitProto } from "../../src/schema/emit/proto.ts";

const folder = mkdtempSync(path.join(os.tmpdir(), "wirebench-enums-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it.each([
  [
    "a.fbs",
    "enum Used : byte { A, B }\nenum Free : ubyte { Y, Z }\nenum Late : short { P = 5 }\ntable M { u:Used; }\nroot_type M;",
    { proto: ["Used", "Free"], fbs: ["Used", "Free", "Late"], capnp: ["Used", "Free"] },
  ],
  [
    "a.capnp",
    "@0xdbb9ad1f14bf0b36;\nenum Free { one @0; }\nstruct M { a @0 :Int32; enum In { i @0; } }",
    { proto: ["Free", "In"], fbs: ["Free", "M_In"], capnp: ["Free", "MIn"] },
  ],
  [
    "a.proto",
    'syntax = "proto3";\nenum Free { F0 = 0; F1 = 1; }\nmessage M { int32 a = 1; enum In { I0 = 0; } }',
    { proto: ["Free", "In"], fbs: ["Free", "M_In"], capnp: ["Free", "MIn"] },
  ],
])("prints those of %s", (name, text, expected) => {
  const file = path.join(folder, name);
  writeFileSync(file, text);
  const schema = loadSchema(file);
  const enums = (printed: string) =>
    Array.from(printed.matchAll(/^ *enum (\w+)/gm), ([, one = ""]) => one).sort();
  expect(enums(emitProto(schema))).toEqual(expected.proto.toSorted());
  expect(enums(emitFbs(schema))).toEqual(expected.fbs.toSorted());
  expect(enums(emitCapnp(schema))).toEqual(expected.capnp.toSorted());
});
