import { compile, fieldOf } from "../../model/generated-code.ts";
import { type Field, type MessageType, messageOf, type Schema } from "../../model/schema.ts";
import type { Value } from "../../model/value.ts";
import { fold, type VisitStyle } from "./visit.ts";

/**
 * Makes the function that folds a few leaves of a value: sizes of the root's lists, its scalars, and the first
 * scalar of each list's last element. A few nanoseconds, so that it can stand in a timed loop.
 */
export function compileProbe(schema: Schema): (value: Value) => number {
  const root = messageOf(schema, schema.root);
  const body = root.fields.slice(0, MAX_PROBED).map((field) => probeField(field, schema));
  return compile(`return function probe(m) {\n  let h = 0, x;\n${body.join("\n")}\n  return h;\n};`);
}

/** Fields of the root that a probe looks at. */
const MAX_PROBED = 4;

function probeField(field: Field, schema: Schema): string {
  const read = `x = ${fieldOf("m", field.name)};`;
  const add = (expression: string): string => `h = (h + ${expression}) | 0;`;
  // To count a map's keys takes as long as to read them all.
  if (field.repetition.kind === "map") return "";
  if (field.repetition.kind === "one") {
    if (field.type.kind === "message") return `  ${read} if (x !== undefined) ${add("1")}`;
    return `  ${read} if (x !== undefined) ${add(fold(field.type, "x", PLAIN, new Map()))}`;
  }
  const leaf = field.type.kind === "message" ? firstScalar(messageOf(schema, field.type.name)) : undefined;
  if (leaf === undefined) return `  ${read} ${add("x.length")}`;
  const last = `  ${read} ${add("x.length")} if (x.length > 0) { x = ${fieldOf("x[x.length - 1]", leaf.name)};`;
  return `${last} if (x !== undefined) ${add(fold(leaf.type, "x", PLAIN, new Map()))} }`;
}

const PLAIN: VisitStyle = { long: "plain", text: "utf16" };

function firstScalar(message: MessageType): Field | undefined {
  return message.fields.find((field) => field.repetition.kind === "one" && field.type.kind !== "message");
}
