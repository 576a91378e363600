import { utf8Bytes, utf8Text } from "../formats/bytes/portable.ts";
import type { Binding } from "../model/codec.ts";
import type { Dataset } from "../model/dataset.ts";
import { UnsupportedError } from "../model/errors.ts";
import { reachableMessages } from "../model/schema.ts";
import { childPath, walk } from "../model/value.ts";
import { mapped } from "./mapped.ts";
import { parsedText, refuseTwice, strictText } from "./values/json-bytes.ts";

/** A library whose text is JSON, in which it says by its own means what JSON has no types for. */
export interface JsonFamily {
  /** Wire format, for errors. */
  readonly format: string;
  stringify(value: unknown): string;
  parse(text: string): unknown;
  /** Throws DecodeError unless `parse` handles the text safely. @param parsed what JSON.parse makes of it */
  check(parsed: unknown): void;
}

/** Binds a dataset to a library that writes JSON text, as UTF-8. */
export function jsonFamily(dataset: Dataset, { format, stringify, parse, check }: JsonFamily): Binding {
  return mapped(dataset, {
    format,
    write: (value) => utf8Bytes(stringify(value)),
    read: (bytes) => parse(utf8Text(bytes)),
    verify: (bytes) => {
      const text = strictText(format, bytes);
      const parsed = parsedText(format, text);
      refuseTwice(format, text, parsed);
      check(parsed);
    },
    shares: true,
  });
}

/** Throws UnsupportedError, with the path, for keys that a library refuses, of fields and of what the values hold. */
export function refuseKeys({ schema, values }: Dataset, library: string, keys: readonly string[]): void {
  const problem = (path: string): Error => new UnsupportedError(`${path}: ${library} refuses this key`);
  for (const { name: message, fields } of schema.documents === undefined ? reachableMessages(schema) : []) {
    const refused = fields.find(({ name }) => keys.includes(name));
    if (refused !== undefined) throw problem(childPath(message, refused.name));
  }
  for (const value of values) {
    walk(value, (_, path, name) => {
      if (name !== undefined && keys.includes(name)) throw problem(path());
    });
  }
}
