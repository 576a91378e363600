/**
 * A schema from JSON documents, whose types all given values conform to. One pass over the text of each gathers the evidence
 * of every path; rules in the order of safety then choose types.
 *
 *     bytes ──JsonScanner──▶ Evidence ──fold──▶ maps, recursion ──Drafting──▶ types ──namedSchema──▶ Schema
 */
import { UsageError } from "../../model/errors.ts";
import type { Schema } from "../../model/schema.ts";
import { Drafting } from "./draft.ts";
import { Evidence, MOST_KEYS } from "./evidence.ts";
import { fold } from "./fold.ts";
import { Hints } from "./hints.ts";
import { JsonScanner } from "./json-scanner.ts";
import { kindsOf } from "./kinds.ts";
import { namedSchema } from "./named.ts";

/** What may be told beside the values. */
export interface InferOptions {
  /** As `/people/-/kind=enum`: a path's type that the values cannot tell. */
  readonly hints?: readonly string[];
}

/** A schema, and why it is so. */
export interface InferredSchema {
  readonly schema: Schema;
  /** How many values it was inferred from. */
  readonly values: number;
  /** A sentence for each choice that the values left open: `/people/-/note: always null: left out`. */
  readonly choices: readonly string[];
}

/** What is known of documents, one after the other. */
export class Inference {
  readonly #root = new Evidence();
  readonly #hints: Hints;
  readonly #scanner: JsonScanner;

  /** Throws UsageError for a hint that is none. */
  constructor({ hints = [] }: InferOptions = {}) {
    this.#hints = new Hints(hints);
    this.#scanner = new JsonScanner(this.#hints.haveMessages ? Number.POSITIVE_INFINITY : MOST_KEYS);
  }

  /**
   * Adds a document. Throws JsonFault for bytes that are not one JSON value; what was added of it until then stays.
   * @param bytes UTF-8, which is not checked
   * @param onOffset is told now and then how many bytes were scanned
   * @returns where its elements begin and end, in turns; none where it is no list
   */
  add(bytes: Buffer, onOffset?: (offset: number) => void): readonly number[] {
    this.#scanner.document(this.#root, bytes, onOffset);
    return this.#scanner.elements;
  }

  /** Most elements of a document that is a list; undefined where one is none. */
  get mostElements(): number | undefined {
    const { lists, count, mostItems } = this.#root;
    return lists === count && count > 0 ? mostItems : undefined;
  }

  /**
   * The schema of what was added, which cannot be added to after that. Throws UsageError, without the place, where nothing is known.
   * @param name what the root is called after
   * @param each whether the elements of lists are the values, in place of the documents
   */
  schema(name: string, each = false): InferredSchema {
    const root = each ? this.#root.item : this.#root;
    if (root === undefined || root.count === 0 || this.mostElements === 0)
      throw new UsageError("an empty list: no value");
    if (kindsOf(root).length === 0) throw new UsageError("nothing but null: no value");
    const at = each ? "/-" : "";
    fold(root, at, this.#hints);
    this.#hints.expectMet();
    const choices = new Set<string>();
    const drafting = new Drafting((path, choice) => choices.add(`${path || "/"}: ${choice}`));
    const schema = namedSchema(drafting.root(root, name, at));
    return { schema, values: root.count, choices: [...choices] };
  }
}
