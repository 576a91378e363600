import { UsageError } from "../../model/errors.ts";
import { nearNames } from "../../model/near-names.ts";
import { HINTS, type Hint } from "./evidence.ts";
import { type Kind, pointerToEach } from "./kinds.ts";

/** The kind of values that a hint is for; json is for any. */
const FOR: Readonly<Record<Hint, Kind | undefined>> = {
  enum: "text",
  bytes: "text",
  timestamp: "text",
  string: "text",
  uint32: "number",
  uint64: "number",
  int64: "number",
  float: "number",
  double: "number",
  map: "object",
  message: "object",
  json: undefined,
};

const WORDS: Readonly<Record<Kind, string>> = {
  text: "texts",
  number: "numbers",
  bool: "booleans",
  list: "lists",
  object: "objects",
};

/** What a user says of paths that the values cannot tell. */
export class Hints {
  readonly #given = new Map<string, Hint>();
  readonly #met = new Set<string>();

  /** @param texts as `/people/-/kind=enum`. Throws UsageError. */
  constructor(texts: readonly string[] = []) {
    for (const text of texts) {
      const at = text.lastIndexOf("=");
      const [path, hint] = [text.slice(0, at), text.slice(at + 1)];
      if (at < 0 || (path !== "" && !path.startsWith("/")))
        throw new UsageError(`hint "${text}": expected a path and a type, as /people/-/kind=enum`);
      const known = HINTS.find((one) => one === hint);
      if (known === undefined)
        throw new UsageError(`hint "${text}": no type ${hint}${nearNames(hint, HINTS)}`);
      if (this.#given.has(path)) throw new UsageError(`hint "${text}": the path has two hints`);
      this.#given.set(path, known);
    }
  }

  /** Whether objects with many keys may be messages. */
  get haveMessages(): boolean {
    return [...this.#given.values()].includes("message");
  }

  /** The hint for a path, which is there. Throws UsageError for one that is for no value there. @param kinds what is at the path */
  of(path: string, kinds: readonly Kind[]): Hint | undefined {
    this.#met.add(path);
    const hint = this.#given.get(path);
    const wanted = hint && FOR[hint];
    if (wanted === undefined || kinds.length === 0 || kinds.includes(wanted)) return hint;
    const inside = kinds.includes("list") ? `; ${pointerToEach(path)} for their elements` : "";
    const there = kinds.map((kind) => WORDS[kind]).join(" and ");
    throw new UsageError(`hint ${path}: ${hint} is for ${WORDS[wanted]}, and there are ${there}${inside}`);
  }

  /** Throws UsageError for a hint for one key of an object whose keys are data. */
  expectNone(map: string, path: string): void {
    this.#met.add(path);
    if (this.#given.has(path))
      throw new UsageError(
        `hint ${path}: ${map || "the root"} is a map: ${pointerToEach(map)} for its values`,
      );
  }

  /** Throws UsageError for a hint whose path was not met. */
  expectMet(): void {
    const lost = [...this.#given.keys()].find((path) => !this.#met.has(path));
    if (lost === undefined) return;
    throw new UsageError(`hint ${lost}: no such path in the data${nearNames(lost, [...this.#met])}`);
  }
}
