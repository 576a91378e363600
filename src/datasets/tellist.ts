import { defineDataset } from "../model/dataset.ts";
import type { EnumType, Field, MessageType, Schema } from "../model/schema.ts";

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

const one = { kind: "one", presence: "always" } as const;

const person: MessageType = {
  name: "as.tellist.personal_info",
  fields: [
    { name: "id", number: 1, type: { kind: "scalar", scalar: "uint32" }, repetition: one },
    { name: "name", number: 2, type: { kind: "scalar", scalar: "string" }, repetition: one, capacity: 32 },
    { name: "age", number: 3, type: { kind: "scalar", scalar: "uint8" }, repetition: one },
    { name: "gender", number: 4, type: { kind: "enum", name: gender.name }, repetition: one },
    { name: "phone_num", number: 5, type: { kind: "scalar", scalar: "uint64" }, repetition: one },
  ] satisfies Field[],
};

const list: MessageType = {
  name: "as.tellist.personal_info_list",
  fields: [
    {
      name: "info",
      number: 1,
      type: { kind: "message", name: person.name },
      repetition: { kind: "list", packed: false },
    },
  ],
};

const schema: Schema = {
  package: "as.tellist",
  root: list.name,
  messages: new Map([list, person].map((message) => [message.name, message])),
  enums: new Map([[gender.name, gender]]),
};

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
