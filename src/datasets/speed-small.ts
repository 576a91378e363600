import { defineDataset } from "../model/dataset.ts";
import type { Field, MessageType, Scalar } from "../model/schema.ts";
import { field, list, optional, schemaOf } from "../schema/declare.ts";

/** A field as nearly all are: one that a value may lack. */
function maybe(number: number, name: string, type: Scalar | MessageType): Field {
  return field(number, name, type, optional);
}

const delivery: MessageType = {
  name: "speed_small.Delivery",
  fields: [
    maybe(1, "zone", "int32"),
    maybe(2, "route", "int32"),
    maybe(3, "stop", "sint32"),
    maybe(4, "address", "string"),
    maybe(5, "signed_for", "bool"),
    maybe(6, "left_at", "int64"),
    maybe(7, "due_at", "int64"),
    maybe(8, "attempts", "uint32"),
    maybe(16, "tracking", "fixed64"),
    maybe(17, "weight", "float"),
    maybe(18, "depot", "fixed32"),
    maybe(19, "insured", "bool"),
    maybe(20, "partner", "string"),
  ],
};

const order: MessageType = {
  name: "speed_small.Order",
  fields: [
    maybe(1, "reference", "string"),
    maybe(2, "note", "string"),
    maybe(3, "coupon", "string"),
    maybe(4, "lines", "int32"),
    maybe(5, "cents", "int32"),
    maybe(6, "discount", "sint32"),
    maybe(7, "placed_at", "int64"),
    maybe(8, "changed_at", "int64"),
    field(9, "serials", "fixed64", list),
    maybe(10, "customer", "string"),
    maybe(11, "paid", "bool"),
    maybe(12, "gift", "bool"),
    maybe(13, "express", "bool"),
    maybe(14, "business", "bool"),
    maybe(15, "delivery", delivery),
    maybe(16, "email", "string"),
    maybe(17, "shelf", "uint32"),
    maybe(18, "checksum", "fixed32"),
    maybe(19, "offset", "sfixed32"),
    maybe(20, "tax", "float"),
    maybe(21, "rate", "double"),
    maybe(22, "ledger", "sint64"),
    maybe(23, "balance", "sfixed64"),
    maybe(24, "session", "uint64"),
    maybe(25, "token", "bytes"),
    maybe(100, "priority", "int32"),
    maybe(101, "channel", "int32"),
    maybe(102, "language", "string"),
    maybe(103, "currency", "string"),
    maybe(130, "retries", "int32"),
    maybe(131, "version", "int32"),
    maybe(271, "campaign", "int32"),
    maybe(272, "test", "bool"),
  ],
};

const schema = schemaOf("speed_small", [order, delivery]);

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
