import { defineDataset } from "../model/dataset.ts";
import type { MessageType } from "../model/schema.ts";
import { always, field, schemaOf } from "../schema/declare.ts";

/** Bytes of the published text, which was one dictionary of game data, printed. */
const PUBLISHED_TEXT = 1108;

const packet: MessageType = {
  name: "packet.Packet",
  fields: [
    field(1, "kind", "sfixed32", always),
    field(2, "sender", "sfixed32", always),
    field(3, "text", "string", always),
  ],
};

const schema = schemaOf("packet", [packet]);

/**
 * The larger record of the published comparison of Python's struct: `>ii1108s` with 888, 333 and a text, which are
 * 1116 bytes. Of the text only the length is known.
 */
export default defineDataset({
  story: `The published packet: two integers of 32 bits and ${PUBLISHED_TEXT} bytes of text, as >ii1108s in Python.`,
  schema,
  size: { unit: "bytes of text", standard: PUBLISHED_TEXT, max: 10_000_000 },
  make: (size, index) => ({ kind: 888, sender: 333, text: textOf(size, index) }),
});

const PHRASE = "{'10,5': {'plant': 'rose', 'grown': 0.5, 'size': (5,), 'crop': {'1': 3, '2': 9}}}, ";

/** Text of that many ASCII characters that starts at another place of the phrase for each index. */
function textOf(length: number, index: number): string {
  const start = index % PHRASE.length;
  return PHRASE.repeat(Math.ceil((length + start) / PHRASE.length)).slice(start, start + length);
}
