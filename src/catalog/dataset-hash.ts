import { createHash } from "node:crypto";
import type { Dataset } from "../model/dataset.ts";
import type { Value } from "../model/value.ts";

/** SHA-256 of a dataset's values and documents, in hex. Equal data has equal hashes, whatever machine it is on. */
export function datasetHash({ values, documents }: Dataset): string {
  const hash = new ValueHash();
  for (const value of values) hash.add(value);
  if (documents !== undefined) hash.add(documents);
  return hash.digest();
}

/** Characters that go to the hash at once: a call for each number of millions would take seconds. */
const PIECE = 1 << 16;

/** Each value by its type, its length and its content, so that no two values run into each other. */
class ValueHash {
  readonly #hash = createHash("sha256");
  #text = "";

  add(value: Value): void {
    if (value instanceof Uint8Array) {
      this.#write(`x${value.length}:`);
      this.#flush();
      this.#hash.update(value);
    } else if (Array.isArray(value)) {
      this.#write(`[${value.length}:`);
      for (const item of value) this.add(item);
    } else if (typeof value === "object" && value !== null) {
      const entries = Object.entries(value);
      this.#write(`{${entries.length}:`);
      for (const [key, field] of entries) {
        this.add(key);
        this.add(field);
      }
    } else if (typeof value === "string") {
      this.#write(`s${Buffer.byteLength(value)}:${value}`);
    } else {
      this.#write(`${(typeof value)[0]}${Object.is(value, -0) ? "-0" : String(value)};`);
    }
  }

  digest(): string {
    this.#flush();
    return this.#hash.digest("hex");
  }

  #write(text: string): void {
    this.#text += text;
    if (this.#text.length >= PIECE) this.#flush();
  }

  #flush(): void {
    this.#hash.update(this.#text);
    this.#text = "";
  }
}
