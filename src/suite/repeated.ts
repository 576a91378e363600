/** The same data in larger and larger messages. */
import type { Dataset } from "../model/dataset.ts";
import type { MessageType, Schema } from "../model/schema.ts";
import type { Value } from "../model/value.ts";
import { field, list } from "../schema/declare.ts";
import { documentText, jsonText } from "../schema/values/json-text.ts";

/** Characters of a message's JSON text up to which messages grow: some 50 ms of decoding. */
export const MOST_JSON = 4_000_000;

/** Values of a message at most, however short they are. */
const MOST_VALUES = 100_000;

/** By how much a message is larger than the one before it. */
const STEP = 8;

/** The field of a message that holds its values. */
const FIELD = "values";

/**
 * A dataset in messages of one value, of 8, of 64 and so on, called `NAME x 8`, and of as many as make some four megabytes of JSON. Each is
 * a list in a message of its own, in which the dataset's values follow each other again and again.
 */
export function repeatedDatasets(given: Dataset): Dataset[] {
  const { name, story, schema, values, documents, fileBytes, bounds: _, ...rest } = given;
  const list = listSchema(schema);
  const text = documents === undefined ? jsonText(values[0]!) : documentText(documents[0]!);
  const most = Math.min(MOST_VALUES, Math.floor(MOST_JSON / text.length));
  return countsUpTo(most).map((count) => {
    const repeated = (of: readonly Value[]): Value[] => [
      { [FIELD]: Array.from({ length: count }, (_, i) => structuredClone(of[i % of.length]!)) },
    ];
    return {
      ...rest,
      name: `${name} x ${count}`,
      story: `${story === undefined ? "" : `${story} `}Here ${count === 1 ? "one value" : `${count.toLocaleString("en-US")} values`} in a message.`,
      schema: list,
      values: repeated(values),
      ...(documents === undefined ? {} : { documents: repeated(documents) }),
      ...(fileBytes === undefined ? {} : { fileBytes: fileBytes * count }),
    };
  });
}

/** 1, 8, 64 and so on, and at last the most: one at least. */
function countsUpTo(most: number): number[] {
  const counts: number[] = [];
  // One that is not much less than the most tells little.
  for (let count = 1; count * 4 <= most; count *= STEP) counts.push(count);
  return [...counts, Math.max(1, most)];
}

/** A schema whose root has a list of what the root was. What is of the file that it was read from, and of its root, is not of this one. */
function listSchema({ header: _, identifier: __, ...schema }: Schema): Schema {
  let root = schema.package === "" ? "Values" : `${schema.package}.Values`;
  while (schema.messages.has(root) || schema.enums.has(root)) root += "_";
  const inner = schema.messages.get(schema.root)!;
  const message: MessageType = { name: root, fields: [field(1, FIELD, inner, list)] };
  return { ...schema, root, messages: new Map([[root, message], ...schema.messages]) };
}
