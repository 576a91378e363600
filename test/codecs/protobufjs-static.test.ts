/** The variant `protobufjs:static` against the text that pbjs prints. */
import { readFileSync } from "node:fs";
import path from "node:path";
import protobuf from "protobufjs";
import { describe, expect, it, vi } from "vitest";
import codec from "../../src/codecs/protobufjs/index.ts";
import { messageType } from "../../src/codecs/protobufjs/shape.ts";
import { staticSource } from "../../src/codecs/protobufjs/static.ts";
import type { Binding } from "../../src/model/codec.ts";
import { readProto } from "../../src/schema/read/proto.ts";
import { decodeTrusted, encodeValue } from "../../src/schema/values/transcode.ts";
import { of, schemaOf } from "../schema/schema-of.ts";
import { datasetOf } from "./dataset.ts";

const FOLDER = path.join(import.meta.dirname, "../vectors/pbjs");

/** Names that pbjs gives the generators' variables (`shortVars` of its `targets/static.js`). */
const LONG_NAMES: Readonly<Record<string, string>> = {
  r: "reader",
  w: "writer",
  m: "message",
  t: "tag",
  t2: "tag2",
  u: "wireType",
  l: "length",
  s: "start",
  c: "end",
  c2: "end2",
  k: "key",
  v: "value",
  ks: "keys",
  z: "_end",
  q: "_depth",
  g: "_target",
  var: "let",
};

/** Code without what is a matter of form: spaces, braces, semicolons, names of variables. */
function normalised(code: string): string {
  return code
    .replace(/(?<![.\w"])[a-z]\w?\b(?!")|\bvar\b/g, (name) => LONG_NAMES[name] ?? name)
    .replace(/\/\*.*?\*\//g, "")
    .replace(/[\s{};$]/g, "");
}

/** What stands last in the functions of a message, by what each begins with. */
const ENDS = {
  "NAME.encode=function": "returnwriter",
  "NAME.decode=function": "returnmessage",
  "constNAME=function": "this[keys[i]]=properties[keys[i]]",
};

/** Encode, decode and the constructor of a message, in a module's text. */
function functionsOf(code: string, name: string): string[] {
  const all = normalised(code);
  return Object.entries(ENDS).map(([start, end]) => {
    const from = all.indexOf(start.replace("NAME", name));
    const to = all.indexOf(end, from);
    expect(from, start).toBeGreaterThan(-1);
    expect(to, start).toBeGreaterThan(from + 50);
    return all.slice(from, to).replace(/\["(\w+)"\]/g, ".$1");
  });
}

describe("static code of protobufjs", () => {
  it.each(["two", "three"])("is what pbjs prints for %s.proto", (name) => {
    const schema = readProto(path.join(FOLDER, `${name}.proto`), "M0");
    const ours = staticSource(messageType(schema).root);
    const theirs = readFileSync(path.join(FOLDER, `${name}.txt`), "utf8");
    for (const message of name === "two" ? ["M0", "M1"] : ["M0"])
      expect(functionsOf(ours, message)).toEqual(functionsOf(theirs, message));
  });

  it("has its classes in place of `this.ctor` too, which generators before version 8 write", () => {
    const { root } = messageType(readProto(path.join(FOLDER, "two.proto"), "M0"));
    const own = staticSource(root);
    const { decoder } = protobuf;
    const older = vi.spyOn(protobuf, "decoder").mockImplementation(
      // A text has what is called of a generator.
      (type) => String(decoder(type)).replace("new C", "new this.ctor") as unknown as protobuf.Codegen,
    );
    expect(staticSource(root)).toBe(own);
    expect(older).toHaveBeenCalled();
    older.mockRestore();
  });

  it("keeps names of fields that look like the generators' own words", () => {
    const schema = schemaOf("p", [
      { name: "types[0].ctor", type: of("string") },
      { name: "new C", type: of("string") },
      { name: '"+types[1]+"', type: of("int64") },
    ]);
    const dataset = datasetOf(schema, [{ "types[0].ctor": "a", "new C": "b", '"+types[1]+"': 5 }]);
    const binding = codec.variants!["static"]!.bind(dataset) as Binding;
    const [value] = dataset.values;
    expect(decodeTrusted(binding, encodeValue(binding, value!))).toEqual(value);
  });
});
