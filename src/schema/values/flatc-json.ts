/** Forms that only the JSON of flatc has. */
import { ValueError } from "../../model/errors.ts";
import { nearNames } from "../../model/near-names.ts";
import type { Field, MessageType, NamedNumber } from "../../model/schema.ts";
import { show } from "../../model/value.ts";

type RecordInput = Readonly<Record<string, unknown>>;

/**
 * Members of unions in an object as flatc's JSON has it: of `"u_type": "Dog", "u": {…}` what is under `u` belongs to the field
 * `u_Dog`. The type is the member's name or number; `NONE` and 0 are no member. Throws ValueError.
 * @param isField whether a key is that of a field, which then has it
 * @returns the field that each key of a union stands for; undefined for one that says a type, and where no member is there
 */
export function unionMembers(
  type: MessageType,
  input: RecordInput,
  isField: (key: string) => boolean,
): ReadonlyMap<string, Field | undefined> {
  const found = new Map<string, Field | undefined>();
  for (const union of unionsOf(type)) {
    const key = `${union}_type`;
    const isGiven = (one: string): boolean => !isField(one) && (input[one] ?? null) !== null;
    for (const one of [key, union]) if (!isField(one)) found.set(one, undefined);
    if (!isGiven(key)) {
      if (isGiven(union)) throw new ValueError("", `${union} is there without ${key}`);
      continue;
    }
    const member = memberOf(type, union, input[key]);
    if (member === undefined && isGiven(union))
      throw new ValueError("", `${union} is there, but ${key} is NONE`);
    if (member !== undefined && !isGiven(union)) throw new ValueError("", `${key} is there without ${union}`);
    found.set(union, member);
  }
  return found;
}

/** Names of the unions of FlatBuffers among a message's oneofs. */
function unionsOf({ fields }: MessageType): ReadonlySet<string> {
  return new Set(
    fields.flatMap(({ oneof, tag }) => (oneof === undefined || tag === undefined ? [] : [oneof])),
  );
}

function memberOf({ fields }: MessageType, union: string, given: unknown): Field | undefined {
  if (given === "NONE" || given === 0) return undefined;
  const members = fields.filter(({ oneof, tag }) => oneof === union && tag !== undefined);
  const nameOf = ({ name }: Field): string => name.slice(union.length + 1);
  const member = members.find((field) => field.tag === given || nameOf(field) === given);
  if (member !== undefined) return member;
  const near = typeof given === "string" ? nearNames(given, members.map(nameOf)) : "";
  throw new ValueError("", `${union} has no type ${show(given)}${near}`);
}

/** The integer of names of an enum, of flags several, as in `"Red Blue"`; undefined where the text is no such names. */
export function flagsOf(values: readonly NamedNumber[], text: string): bigint | undefined {
  const numbers = text.split(" ").map((name) => values.find((value) => value.name === name)?.number);
  return numbers.includes(undefined)
    ? undefined
    : numbers.reduce<bigint>((all, one) => all | BigInt(one ?? 0), 0n);
}
