import { defineDataset } from "../model/dataset.ts";
import type { MessageType } from "../model/schema.ts";
import { always, field, schemaOf } from "../schema/declare.ts";

const packet: MessageType = {
  name: "packet_small.Packet",
  fields: [field(1, "kind", "sfixed32", always), field(2, "level", "int16", always)],
};

const schema = schemaOf("packet_small", [packet]);

/** The smaller record of the published comparison of Python's struct: `>ih` with 55 and 66, which are 6 bytes. */
export default defineDataset({
  story: "The published small packet: an integer of 32 bits and one of 16, as >ih in Python.",
  schema,
  make: (_size, index) => ({ kind: 55 - (index % 32), level: 66 - (index % 32) }),
});
