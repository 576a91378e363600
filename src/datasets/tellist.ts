import { defineDataset } from "../model/dataset.ts";
import type { EnumType, MessageType } from "../model/schema.ts";
import { always, field, list, schemaOf } from "../schema/declare.ts";

/** Records of the published list. */
const PUBLISHED_RECORDS = 37;

const gender: EnumType = {
  name: "as.tellist.gender_type",
  values: [
    { name: "MALE", number: 0 },
    { name: "FEMALE", number: 1 },
    { name: "OTHER", number: 2 },
  ],
  bits: 8,
  closed: true,
};

const person: MessageType = {
  name: "as.tellist.personal_info",
  fields: [
    field(1, "id", "uint32", always),
    { ...field(2, "name", "string", always), capacity: 32 },
    field(3, "age", "uint8", always),
    field(4, "gender", gender, always),
    field(5, "phone_num", "uint64", always),
  ],
};

const people: MessageType = {
  name: "as.tellist.personal_info_list",
  fields: [field(1, "info", person, list)],
};

const schema = schemaOf("as.tellist", [people, person], [gender]);

/**
 * The address book of the published FlatBuffers benchmark (2014). Its records were not published; these give
 * exactly its published sizes: protobuf 841 bytes, FlatBuffers 1712.
 */
export default defineDataset({
  story: `The published address book: ${PUBLISHED_RECORDS} people, each with an id, a name, an age, a gender and a phone number.`,
  schema,
  size: { unit: "records", standard: PUBLISHED_RECORDS, max: 10_000_000 },
  // The same ages and phone numbers, given to other people: every format takes the same bytes for them.
  make: (size, index) => ({ info: Array.from({ length: size }, (_, i) => record(i, (i + index) % size)) }),
});

function record(i: number, other: number) {
  return {
    id: i,
    name: `name-${i}`,
    age: 20 + (other % 200),
    gender: i % 3,
    phone_num: 13_800_000_000 + other,
  };
}
