/** Streams as formats have them: messages come out as they went in, and the libraries' own readers agree. */
import avro from "avsc";
import { decodeMultiple } from "cbor-x";
import fc from "fast-check";
import { unpackMultiple } from "msgpackr";
import { describe, expect, it } from "vitest";
import { namedDataset } from "../../src/catalog/dataset.ts";
import { Registry } from "../../src/catalog/registry.ts";
import { avroSchema } from "../../src/codecs/avsc/mapping.ts";
import type { Binding, OwnFraming } from "../../src/model/codec.ts";
import { DecodeError, UnsupportedError } from "../../src/model/errors.ts";
import { firstDifference, type Value } from "../../src/model/value.ts";
import { avroBlockAt } from "../../src/schema/framing/avro-blocks.ts";
import { chunksOf, type Framing, unframer } from "../../src/schema/framing/stream.ts";
import { encodeValue } from "../../src/schema/values/transcode.ts";
import { datasets } from "../arbitrary-schema.ts";
import { runs, SEED } from "../seed.ts";

const registry = await Registry.open();
const FRAMINGS: Readonly<Record<string, OwnFraming>> = {
  avsc: "avro-blocks",
  "cbor-x": "cbor-sequence",
  "cbor-x:records": "cbor-sequence",
  cborg: "cbor-sequence",
  "capnp-es": "capnp-stream",
  "capnp-ts": "capnp-stream",
  msgpack: "msgpack",
  msgpackr: "msgpack",
};

function messagesOf({ binding, values }: { binding: Binding; values: readonly Value[] }): Uint8Array[] {
  return values.map((value) => Uint8Array.from(encodeValue(binding, value) as Uint8Array));
}

function framesIn(chunks: readonly Uint8Array[], framing: Framing): Uint8Array[] {
  const next = unframer(framing);
  return chunks.flatMap((chunk) => {
    const found: Uint8Array[] = [];
    for (let one = next(chunk); one !== undefined; one = next()) found.push(one.slice());
    return found;
  });
}

function valuesOfBlock(binding: Binding, frame: Uint8Array): Value[] {
  const { count, data } = avroBlockAt(frame, 0)!.block;
  const values: Value[] = [];
  let at = 0;
  for (let i = 0; i < count; i++) {
    const { message, end } = binding.readNext!(data, at);
    values.push(binding.plain(message));
    at = end;
  }
  expect(at).toBe(data.length);
  return values;
}

describe.each(Object.entries(FRAMINGS))("the stream of %s", (name, framing) => {
  it("gives messages back in chunks of any size", async () => {
    let seen = 0;
    await fc.assert(
      fc.asyncProperty(datasets(), fc.integer({ min: 1, max: 90 }), async (dataset, size) => {
        let binding: Binding;
        try {
          binding = await (await registry.codec(name)).bind(dataset);
        } catch (error) {
          if (error instanceof UnsupportedError) return;
          throw error;
        }
        expect(binding.framing).toBe(framing);
        const messages = messagesOf({ binding, values: dataset.values });
        const frames = framesIn(chunksOf(messages, framing, size), framing);
        if (framing === "avro-blocks") {
          const values = frames.flatMap((frame) => valuesOfBlock(binding, frame));
          expect(firstDifference(dataset.values, values)).toBeUndefined();
        } else expect(frames).toEqual(messages);
        seen += messages.length;
      }),
      { numRuns: runs(100), seed: SEED },
    );
    expect(seen).toBeGreaterThan(5);
  });
});

it("is what the libraries' own readers of streams read", async () => {
  const book = await namedDataset(registry, "tellist:40");
  const values = Array.from({ length: 200 }, (_, i) => book.values[i % book.values.length]!);
  const streamOf = async (name: string) => {
    const binding = await (await registry.codec(name)).bind({ ...book, values });
    return Buffer.concat(chunksOf(messagesOf({ binding, values }), binding.framing!));
  };
  // Larger integers are bigints to cbor-x where it is not told otherwise.
  const namesOf = (books: unknown): string[] =>
    (books as { info: { name: string }[] }[]).flatMap(({ info }) => info.map((person) => person.name));
  expect(namesOf(decodeMultiple(await streamOf("cborg")))).toEqual(namesOf(values));
  expect(namesOf(unpackMultiple(await streamOf("msgpack")))).toEqual(namesOf(values));

  const blocks = await streamOf("avsc");
  const sync = blocks.subarray(-16);
  const header = avro.Type.forSchema({
    type: "record",
    name: "Header",
    fields: [
      { name: "magic", type: { type: "fixed", name: "Magic", size: 4 } },
      { name: "meta", type: { type: "map", values: "bytes" } },
      { name: "sync", type: { type: "fixed", name: "Sync", size: 16 } },
    ],
  } as avro.Schema).toBuffer({
    magic: Buffer.from("Obj\x01"),
    meta: { "avro.schema": Buffer.from(JSON.stringify(avroSchema(book.schema))) },
    sync,
  });
  const decoder = new avro.streams.BlockDecoder();
  const ids: number[] = [];
  decoder.on("data", ({ info }: { info: { id: number }[] }) => ids.push(info.length));
  const ended = new Promise((resolve) => decoder.on("end", resolve));
  decoder.end(Buffer.concat([header, blocks]));
  await ended;
  expect(ids).toEqual(values.map(() => 40));
  expect(framesIn([blocks], "avro-blocks").length).toBeGreaterThan(1);
});

it.each<[OwnFraming, string]>([
  ["cbor-sequence", "9f01ff"],
  ["cbor-sequence", "1c"],
  ["msgpack", "92c100"],
  ["capnp-stream", "00020000 00000000"],
  ["capnp-stream", "ffffffff 00000000"],
  ["avro-blocks", "01 02 00"],
  ["avro-blocks", "02 ffffffffffff01"],
  ["avro-blocks", `02 02 07 ${"00".repeat(16)}`],
])("in %s refuses %s", (framing, hex) => {
  const bytes = Uint8Array.from(Buffer.from(hex.replaceAll(" ", ""), "hex"));
  expect(() => unframer(framing)(bytes)).toThrow(DecodeError);
});

it.each<[OwnFraming, string]>([
  ["cbor-sequence", "9bffffffffffffffff00"],
  ["cbor-sequence", "5affffffff00"],
  ["msgpack", "ddffffffff00"],
  ["msgpack", "c6ffffffff"],
  ["capnp-stream", "00000000ffffffff"],
  ["avro-blocks", "02feffffffff1f00"],
])("in %s waits for the rest of %s", (framing, hex) => {
  expect(unframer(framing)(Uint8Array.from(Buffer.from(hex, "hex")))).toBeUndefined();
});
