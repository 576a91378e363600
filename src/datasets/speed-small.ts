import { defineDataset } from "../model/dataset.ts";
import type { Field, MessageType, Scalar, Schema } from "../model/schema.ts";

const OPTIONAL = { kind: "one", presence: "optional" } as const;
const LIST = { kind: "list", packed: false } as const;

function optional(number: number, name: string, scalar: Scalar): Field {
  return { name, number, type: { kind: "scalar", scalar }, repetition: OPTIONAL };
}

const delivery: MessageType = {
  name: "speed_small.Delivery",
  fields: [
    optional(1, "zone", "int32"),
    optional(2, "route", "int32"),
    optional(3, "stop", "sint32"),
    optional(4, "address", "string"),
    optional(5, "signed_for", "bool"),
    optional(6, "left_at", "int64"),
    optional(7, "due_at", "int64"),
    optional(8, "attempts", "uint32"),
    optional(16, "tracking", "fixed64"),
    optional(17, "weight", "float"),
    optional(18, "depot", "fixed32"),
    optional(19, "insured", "bool"),
    optional(20, "partner", "string"),
  ],
};

const order: MessageType = {
  name: "speed_small.Order",
  fields: [
    optional(1, "reference", "string"),
    optional(2, "note", "string"),
    optional(3, "coupon", "string"),
    optional(4, "lines", "int32"),
    optional(5, "cents", "int32"),
    optional(6, "discount", "sint32"),
    optional(7, "placed_at", "int64"),
    optional(8, "changed_at", "int64"),
    { name: "serials", number: 9, type: { kind: "scalar", scalar: "fixed64" }, repetition: LIST },
    optional(10, "customer", "string"),
    optional(11, "paid", "bool"),
    optional(12, "gift", "bool"),
    optional(13, "express", "bool"),
    optional(14, "business", "bool"),
    {
      name: "delivery",
      number: 15,
      type: { kind: "message", name: delivery.name },
      repetition: OPTIONAL,
    },
    optional(16, "email", "string"),
    optional(17, "shelf", "uint32"),
    optional(18, "checksum", "fixed32"),
    optional(19, "offset", "sfixed32"),
    optional(20, "tax", "float"),
    optional(21, "rate", "double"),
    optional(22, "ledger", "sint64"),
    optional(23, "balance", "sfixed64"),
    optional(24, "session", "uint64"),
    optional(25, "token", "bytes"),
    optional(100, "priority", "int32"),
    optional(101, "channel", "int32"),
    optional(102, "language", "string"),
    optional(103, "currency", "string"),
    optional(130, "retries", "int32"),
    optional(131, "version", "int32"),
    optional(271, "campaign", "int32"),
    optional(272, "test", "bool"),
  ],
};

const schema: Schema = {
  package: "speed_small",
  root: order.name,
  messages: new Map([order, delivery].map((message) => [message.name, message])),
  enums: new Map(),
};

const NOTE =
  "Please ring twice, the bell is old; leave it with a florist if nobody answers the garden door, thanks.";
const ADDRESS = "14 Harbour Lane, second floor, behind the lighthouse";

/**
 * A message of the shape of the small one of protobuf's benchmark: many optional fields of every kind of which less
 * than half are set, a few texts, one of them empty, and a message within. As there, protobuf takes 228 bytes.
 */
export default defineDataset({
  story:
    "An order of the shape of protobuf's small benchmark message: many optional fields, some of them set.",
  schema,
  // Other digits and letters, as many of them.
  make: (_size, index) => {
    const i = index % 64;
    return {
      reference: "",
      note: rotated(NOTE, i),
      coupon: "SPRING",
      lines: 8,
      cents: 2_066_300 + i,
      serials: [],
      customer: rotated("Ada Byron ", i),
      paid: true,
      gift: false,
      express: true,
      business: false,
      delivery: {
        zone: 25,
        route: 36,
        address: rotated(ADDRESS, i),
        signed_for: true,
        attempts: 2,
        tracking: 2_813_090_458_170_031_900n + BigInt(i),
      },
      tax: 0.25 + 0.5 * (i % 2),
      priority: 31,
      campaign: 1_591_400 + i,
    };
  },
});

function rotated(text: string, by: number): string {
  const start = by % text.length;
  return text.slice(start) + text.slice(0, start);
}
