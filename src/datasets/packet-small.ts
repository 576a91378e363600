import { defineDataset } from "../model/dataset.ts";
import type { MessageType, Schema } from "../model/schema.ts";

const ONE = { kind: "one", presence: "always" } as const;

const packet: MessageType = {
  name: "packet_small.Packet",
  fields: [
    { name: "kind", number: 1, type: { kind: "scalar", scalar: "sfixed32" }, repetition: ONE },
    { name: "level", number: 2, type: { kind: "scalar", scalar: "int16" }, repetition: ONE },
  ],
};

const schema: Schema = {
  package: "packet_small",
  root: packet.name,
  messages: new Map([[packet.name, packet]]),
  enums: new Map(),
};

/** The smaller record of the published comparison of Python's struct: `>ih` with 55 and 66, which are 6 bytes. */
export default defineDataset({
  story: "The published small packet: an integer of 32 bits and one of 16, as >ih in Python.",
  schema,
  make: (_size, index) => ({ kind: 55 - (index % 32), level: 66 - (index % 32) }),
});
