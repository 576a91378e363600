import { UsageError } from "../../model/errors.ts";
import { nearNames } from "../../model/near-names.ts";
import { HINTS, type Hint } from "./evidence.ts";

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

  /** The hint for a path, which is there. */
  of(path: string): Hint | undefined {
    this.#met.add(path);
    return this.#given.get(path);
  }

  /** Throws UsageError for a hint whose path was not met. */
  expectMet(): void {
    const lost = [...this.#given.keys()].find((path) => !this.#met.has(path));
    if (lost === undefined) return;
    throw new UsageError(`hint ${lost}: no such path in the data${nearNames(lost, [...this.#met])}`);
  }
}
