import { defineDataset } from "../model/dataset.ts";
import { seededRandom } from "../model/random.ts";
import type { MessageType } from "../model/schema.ts";
import { always, field, schemaOf } from "../schema/declare.ts";

/** Bytes of the smaller messages of the published benchmark between processes. */
const PUBLISHED_BYTES = 6_500_000;

/** Pixels of a line, of three bytes each; the last line may be shorter. */
const WIDTH = 1920;

const header: MessageType = {
  name: "frame.Header",
  fields: [
    field(1, "sequence", "uint32", always),
    field(2, "stamp", "fixed64", always),
    field(3, "source", "string", always),
  ],
};

const frame: MessageType = {
  name: "frame.Frame",
  fields: [
    field(1, "header", header, always),
    field(2, "width", "uint32", always),
    field(3, "height", "uint32", always),
    field(4, "encoding", "string", always),
    field(5, "data", "bytes", always),
  ],
};

const schema = schemaOf("frame", [frame, header]);

/**
 * A picture as cameras send them: a small header and one field of bytes, so that what a codec takes is what it
 * copies. Of the messages of the published benchmark between processes, only the sizes are known. Stamps are
 * microseconds, which numbers hold exactly.
 */
export default defineDataset({
  story: "A camera's picture: a small header and one field of bytes.",
  schema,
  size: { unit: "bytes of picture", standard: PUBLISHED_BYTES, max: 100_000_000 },
  make: (size, index) => ({
    // From 1000 on: as many digits for each.
    header: { sequence: 1000 + index, stamp: 1_700_000_000_000_000 + 33_333 * index, source: "camera/front" },
    width: WIDTH,
    height: Math.ceil(size / (3 * WIDTH)),
    encoding: "rgb8",
    data: noise(size, index),
  }),
});

/** Bytes that do not compress, the same from another one on: a format that escapes some takes as much for each. */
function noise(length: number, index: number): Uint8Array {
  const random = seededRandom(0);
  const bytes = new Uint8Array(length);
  let at = index % length;
  for (let i = 0; i < length; i++) {
    bytes[at] = random() * 256;
    at = at + 1 < length ? at + 1 : 0;
  }
  return bytes;
}
