import tellist from "../src/datasets/tellist.ts";
import type { Value } from "../src/model/value.ts";

/** An address book for a codec. A library that finds nothing beside an integer of more than 32 bits gets one with short numbers. */
export function bookFor(codec: string, persons: number, index: number): Value {
  const value = tellist.make(persons, index);
  if (codec !== "flexbuffers") return value;
  const { info } = value as { info: { phone_num: number }[] };
  return { info: info.map((person) => ({ ...person, phone_num: person.phone_num % 2 ** 31 })) };
}
