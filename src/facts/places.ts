/** Fields of a schema as they are found in a value of it, and values with something else in that place. */
import { type Field, type MessageType, messageOf, type Schema } from "../model/schema.ts";
import { isRecord, type RecordValue, type Value } from "../model/value.ts";

/** The steps from a value's root to what is at a place. */
export type Steps = readonly (string | number)[];

/** A field in a value: `steps` lead to one value of it, or to the field itself where it holds a list or a map. */
export interface Place {
  readonly steps: Steps;
  readonly field: Field;
  /** Name of the message type that declares the field. */
  readonly message: string;
}

/** The first place of a kind, in the order of declaration; undefined where a value has none. A member of a oneof counts if it is set. */
export function placeIn(
  schema: Schema,
  value: Value,
  wanted: (field: Field, type: MessageType) => boolean,
  what: "value" | "field" = "value",
): Place | undefined {
  const inMessage = (type: MessageType, message: RecordValue, steps: Steps): Place | undefined => {
    for (const field of type.fields) {
      const isSet = Object.hasOwn(message, field.name);
      if (field.oneof !== undefined && !isSet) continue;
      const at = [...steps, field.name];
      const held = isSet ? message[field.name] : undefined;
      if (wanted(field, type)) {
        const place = { field, message: type.name };
        if (what === "field" || field.repetition.kind === "one") return { steps: at, ...place };
        if (Array.isArray(held) && held.length > 0) return { steps: [...at, 0], ...place };
      }
      if (field.type.kind !== "message" || held === undefined) continue;
      const inside = messageOf(schema, field.type.name);
      const found =
        field.repetition.kind === "map" ? inMap(inside, held, at) : inHeld(inside, held as Value, at);
      if (found !== undefined) return found;
    }
    return undefined;
  };
  const inMap = (type: MessageType, held: unknown, steps: Steps): Place | undefined => {
    for (const [key, item] of Object.entries(held as RecordValue)) {
      const found = inHeld(type, item, [...steps, key]);
      if (found !== undefined) return found;
    }
    return undefined;
  };
  const inHeld = (type: MessageType, held: Value, steps: Steps): Place | undefined => {
    if (!Array.isArray(held)) return isRecord(held) ? inMessage(type, held, steps) : undefined;
    // What the first elements lack, all are likely to lack.
    for (const [index, item] of (held as Value[]).slice(0, 100).entries()) {
      const found = isRecord(item) ? inMessage(type, item, [...steps, index]) : undefined;
      if (found !== undefined) return found;
    }
    return undefined;
  };
  return isRecord(value) ? inMessage(messageOf(schema, schema.root), value, []) : undefined;
}

/** What stands for a field that is not there. */
export const ABSENT = Symbol("absent");

/** What is at a place; {@link ABSENT} where nothing is, or no way leads there. */
export function at(value: unknown, steps: Steps): unknown {
  let found = value;
  for (const step of steps) {
    if (typeof found !== "object" || found === null || !Object.hasOwn(found, step)) return ABSENT;
    found = (found as Record<string | number, unknown>)[step];
  }
  return found;
}

/** A copy with something else at a place, or with nothing there. What does not lead to the place is shared. */
export function withAt(value: unknown, [step, ...rest]: Steps, given: unknown): unknown {
  if (step === undefined) return given;
  if (typeof value !== "object" || value === null) return value;
  const held = Object.hasOwn(value, step) ? (value as Record<string | number, unknown>)[step] : undefined;
  const inner = withAt(held, rest, given);
  if (Array.isArray(value)) return value.map((item, index) => (index === step ? inner : item));
  if (inner === ABSENT) {
    return Object.fromEntries(Object.entries(value).filter(([key]) => key !== step));
  }
  // A field that was absent has its place at the end, which is no other value.
  return { ...value, [step]: inner };
}
