/** What a reader that knows one schema leaves out of the messages of a newer program: one kind of it. */
export interface UnknownField {
  /** Name of the message that it stands in. */
  readonly message: string;
  /** Its field number. */
  readonly number: number;
  /** Its wire type. */
  readonly wire: number;
  /** Why it is left out: the schema lacks the field, has it with another wire type, or its closed enum lacks the number. */
  readonly what: "field" | "wire type" | "enum number";
  /** Its name, where the schema has the field. */
  readonly field?: string;
  /** The number that the enum lacks. */
  readonly value?: number;
  /** How often it was met. */
  readonly count: number;
  /** Byte offset of the first: of its tag, or of the enum's number. */
  readonly offset: number;
}

/** Most kinds of them in one message. No program is that much newer: the bytes are of another schema. */
export const MOST_KINDS = 1000;

/** Counts what is left out. */
export class UnknownFields {
  readonly #found = new Map<string, Counted>();

  /** Counts what was met, some times or once. Whether there are no more than {@link MOST_KINDS} kinds. */
  add(met: Omit<UnknownField, "count">, count = 1): boolean {
    const key = `${met.message} ${met.number} ${met.wire} ${met.value}`;
    const known = this.#found.get(key);
    if (known !== undefined) known.count += count;
    else this.#found.set(key, { ...met, count });
    return this.#found.size <= MOST_KINDS;
  }

  /** All of it, in the order in which it was first met. */
  all(): readonly UnknownField[] {
    return [...this.#found.values()];
  }
}

type Counted = { -readonly [Key in keyof UnknownField]: UnknownField[Key] };

/** Most kinds that a sentence names. */
const MOST_NAMED = 5;

/** What was left out of some messages, as one sentence; undefined for nothing. */
export function leftOutText(unknown: readonly UnknownField[]): string | undefined {
  if (unknown.length === 0) return undefined;
  const counts = new Map<string, number>();
  for (const one of unknown) counts.set(nameOf(one), (counts.get(nameOf(one)) ?? 0) + one.count);
  const names = [...counts.keys()];
  const total = [...counts.values()].reduce((sum, count) => sum + count);
  const named = [...names.slice(0, MOST_NAMED), ...(names.length > MOST_NAMED ? ["…"] : [])].join(", ");
  const fields = `${names.length} unknown ${names.length === 1 ? "field" : "fields"}`;
  return `${total} ${total === 1 ? "value" : "values"} of ${fields} left out: ${named}`;
}

function nameOf({ message, number, wire, what, field, value }: UnknownField): string {
  switch (what) {
    case "field":
      return `${message} ${number}`;
    case "enum number":
      return `${message}.${field} = ${value}`;
    case "wire type":
      return `${message}.${field} of wire type ${wire}`;
  }
}
