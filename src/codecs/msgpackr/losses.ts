import { ValueError } from "../../model/errors.ts";
import { compile, fieldOf } from "../../model/generated-code.ts";
import {
  type Field,
  type FieldType,
  reachableMessages,
  type Scalar,
  type Schema,
} from "../../model/schema.ts";
import { childPath, type Value } from "../../model/value.ts";

/** What msgpackr, used in one way, would silently change. It always writes -0 as the integer 0. */
export interface Losses {
  /** A map's key `__proto__`, which is read as `__proto_`. */
  readonly protoKeys: boolean;
  /** A byte order mark before long text, which the part of msgpackr that is written in JavaScript takes off. */
  readonly marks: boolean;
}

/**
 * Makes what throws a ValueError for a value that msgpackr would change; undefined where no value of the schema
 * can hold such a thing. Only what can is visited.
 */
export function compileLossCheck(schema: Schema, losses: Losses): ((value: Value) => void) | undefined {
  const messages = reachableMessages(schema);
  const names = new Map<string, string>();
  // Messages refer to each other in circles, so this goes on until no more are found that can hold one.
  for (let size = -1; size < names.size; ) {
    size = names.size;
    for (const { name, fields } of messages) {
      const holds = fields.some((field) => checkField(field, losses, names) !== undefined);
      if (holds && !names.has(name)) names.set(name, `loses${names.size}`);
    }
  }
  const root = names.get(schema.root);
  if (root === undefined) return undefined;
  const functions = messages
    .filter(({ name }) => names.has(name))
    .map(({ name, fields }) => {
      const checks = fields.map((field) => checkField(field, losses, names) ?? "").join("");
      return `function ${names.get(name)}(m) {\n  let x;\n${checks}  return false;\n}\n`;
    });
  const loses: (value: Value) => boolean = compile(`${functions.join("")}return ${root};`, { isMarked });
  return (value) => {
    if (loses(value))
      throw lossIn(value, "", losses) ?? new Error("msgpackr: a loss that cannot be found again");
  };
}

type Names = ReadonlyMap<string, string>;

/** A statement that returns true where a field holds something that is lost; undefined where it cannot. */
function checkField({ name, type, repetition }: Field, losses: Losses, names: Names): string | undefined {
  const value = lossOf(type, losses, names);
  const read = `  x = ${fieldOf("m", name)};`;
  switch (repetition.kind) {
    case "one":
      return value && `${read} if (x !== undefined && ${value("x")}) return true;\n`;
    case "list":
      return value && `${read} for (const e of x) if (${value("e")}) return true;\n`;
    case "map": {
      const checks = [...keyLosses(repetition.key, losses), ...(value === undefined ? [] : [value("x[k]")])];
      return checks.length === 0
        ? undefined
        : `${read} for (const k of Object.keys(x)) if (${checks.join(" || ")}) return true;\n`;
    }
  }
}

function lossOf(type: FieldType, losses: Losses, names: Names): ((value: string) => string) | undefined {
  if (type.kind === "enum") return undefined;
  if (type.kind === "message")
    return names.has(type.name) ? (value) => `${names.get(type.name)}(${value})` : undefined;
  if (type.scalar === "float" || type.scalar === "double") return (value) => `Object.is(${value}, -0)`;
  return type.scalar === "string" && losses.marks ? (value) => `isMarked(${value})` : undefined;
}

function keyLosses(scalar: Scalar, losses: Losses): string[] {
  if (scalar !== "string") return [];
  return [...(losses.protoKeys ? ['k === "__proto__"'] : []), ...(losses.marks ? ["isMarked(k)"] : [])];
}

/** Whether text is longer than 64 bytes and starts with a byte order mark (msgpackr 2.1.3, `readStringJS`). */
function isMarked(text: string): boolean {
  return text.charCodeAt(0) === 0xfeff && Buffer.byteLength(text) > 64;
}

/** The first loss of a value, with its path. */
function lossIn(value: Value, path: string, losses: Losses): ValueError | undefined {
  if (Object.is(value, -0)) return new ValueError(path, "msgpackr writes -0 as 0");
  if (typeof value === "string" && losses.marks && isMarked(value)) {
    return new ValueError(path, "msgpackr without its native part drops the byte order mark of long text");
  }
  if (typeof value !== "object" || value === null || value instanceof Uint8Array) return undefined;
  for (const [key, item] of Object.entries(value)) {
    const at = childPath(path, Array.isArray(value) ? Number(key) : key);
    if (losses.protoKeys && key === "__proto__")
      return new ValueError(at, "msgpackr reads this key as __proto_");
    const loss =
      (losses.marks && isMarked(key) ? lossIn(key, at, losses) : undefined) ?? lossIn(item, at, losses);
    if (loss !== undefined) return loss;
  }
  return undefined;
}
