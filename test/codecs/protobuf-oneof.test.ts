/** Several members of a oneof in one message: the last wins, in every codec of protobuf, as in protoc. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Registry } from "../../src/catalog/registry.ts";
import type { Dataset } from "../../src/model/dataset.ts";
import { DecodeError } from "../../src/model/errors.ts";
import { firstDifference, type RecordValue, type Value } from "../../src/model/value.ts";
import { emitProto } from "../../src/schema/emit/proto.ts";
import { decodeTrusted, decodeUntrusted, encodeValue } from "../../src/schema/values/transcode.ts";
import { itWith } from "../references.ts";
import { list, messageType, of, ofMessage, schemaOf } from "../schema/schema-of.ts";
import { runs, SEED } from "../seed.ts";
import { Protoc } from "./protoc.ts";

const member = { oneof: "kind" };
const sub = messageType("p.Sub", [{}, {}]);
const schema = schemaOf(
  "p",
  [
    { ...member, type: ofMessage("p.Sub") },
    { ...member, type: of("bytes") },
    { ...member, type: of("string"), name: "oneofKind" },
    { ...member, type: ofMessage("p.Sub"), name: "oneof0" },
    { ...member, number: 600, type: of("int64") },
    { oneof: "other", type: of("bool") },
    { oneof: "other", type: of("double") },
    { name: "inner", number: 9, type: ofMessage("p.M"), repetition: list },
  ],
  { messages: [sub] },
);
const dataset: Dataset = { name: "oneofs", schema, values: [], int64: "bigint" };

const registry = await Registry.open();
const all = await Promise.all((await registry.selectCodecs(["*"])).map((name) => registry.codec(name)));
// pbf holds 64-bit integers in numbers.
const codecs = all.filter(({ format, name }) => format === "protobuf" && name !== "pbf");
const protobufjs = await (await registry.codec("protobufjs")).bind(dataset);

const SUB = fc.oneof(fc.record({ f1: fc.integer() }), fc.record({ f2: fc.integer() }), fc.constant({}));
const MEMBER = fc.oneof(
  SUB.map((f1) => ({ f1 })),
  SUB.map((oneof0) => ({ oneof0 })),
  fc.uint8Array({ maxLength: 3 }).map((f2) => ({ f2 })),
  fc.string({ maxLength: 3 }).map((oneofKind) => ({ oneofKind })),
  fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map((f5) => ({ f5 })),
  fc.boolean().map((f6) => ({ f6 })),
  fc.double({ noNaN: true }).map((f7) => ({ f7 })),
);
const OTHER = new Set(["f6", "f7"]);

/** What messages one after the other are as one: of each oneof the last member, which takes in messages of its kind just before. */
function merged(parts: readonly RecordValue[]): Value {
  const result: Record<string, Value> = {};
  for (const part of parts) {
    const [name, value] = Object.entries(part)[0]!;
    const before = result[name];
    for (const other of Object.keys(result)) if (OTHER.has(other) === OTHER.has(name)) delete result[other];
    const merges = before !== undefined && (name === "f1" || name === "oneof0");
    result[name] = merges ? { ...(before as object), ...(value as object) } : value!;
  }
  const order = schema.messages.get("p.M")!.fields.map(({ name }) => name);
  const entries = order.flatMap((name) => (name in result ? [[name, result[name]!] as const] : []));
  return { ...Object.fromEntries(entries), inner: [] };
}

function bytesOf(parts: readonly RecordValue[]): Buffer {
  return Buffer.concat(parts.map((part) => encodeValue(protobufjs, { ...part, inner: [] }) as Uint8Array));
}

/** Whether google-protobuf is asked to merge two messages, which it refuses. */
function hasMessageTwice(parts: readonly RecordValue[]): boolean {
  return ["f1", "oneof0"].some((name) => parts.filter((part) => name in part).length > 1);
}

const parts = fc.array(MEMBER, { minLength: 2, maxLength: 5 }) as fc.Arbitrary<RecordValue[]>;

describe.each(codecs.map((codec) => [codec.name, codec] as const))("%s", (name, codec) => {
  it("takes the last member of a oneof, and nothing of those before", async () => {
    const binding = await codec.bind(dataset);
    fc.assert(
      fc.property(parts, fc.boolean(), (given, isInside) => {
        const bytes = bytesOf(given);
        const value = merged(given);
        const outer = Buffer.concat([Buffer.of((9 << 3) | 2, bytes.length), bytes]);
        const read = (): Value => decodeUntrusted(name, binding, dataset, isInside ? outer : bytes);
        if (name === "google-protobuf" && hasMessageTwice(given)) expect(read).toThrow(DecodeError);
        else expect(firstDifference(isInside ? { inner: [value] } : value, read())).toBeUndefined();
      }),
      { numRuns: runs(500), seed: SEED },
    );
  });
});

it("pbf reads numbers and texts of a oneof with their presence, and the last of several", async () => {
  const fields = [{ ...member }, { ...member, type: of("string") }, { ...member, type: ofMessage("p.Sub") }];
  const own: Dataset = {
    name: "oneofs",
    schema: schemaOf("p", fields, { messages: [messageType("p.Sub", [])] }),
    values: [{}, { f1: 0 }, { f2: "" }, { f3: {} }],
    int64: "number",
  };
  const pbf = await (await registry.codec("pbf")).bind(own);
  for (const value of own.values) expect(decodeTrusted(pbf, encodeValue(pbf, value))).toEqual(value);
  const read = (hex: string): Value => decodeUntrusted("pbf", pbf, own, Buffer.from(hex, "hex"));
  expect(read("0805120178")).toEqual({ f2: "x" });
  expect(read("1201780800")).toEqual({ f1: 0 });
  expect(read("0805" + "1a00")).toEqual({ f3: {} });
});

itWith("protoc")("protoc reads it so too", () => {
  const given = fc.sample(parts, { numRuns: runs(200), seed: SEED });
  const types = given.map((_, i) => ({
    proto: emitProto(schema).replaceAll(/\bp\b/g, `p${i}`),
    message: `p${i}.M`,
  }));
  const protoc = new Protoc(types);
  try {
    const recoded = protoc.recode(given.map(bytesOf));
    for (const [i, one] of given.entries())
      expect(firstDifference(merged(one), decodeTrusted(protobufjs, recoded[i]!))).toBeUndefined();
  } finally {
    protoc.close();
  }
});
