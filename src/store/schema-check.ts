import { readFileSync } from "node:fs";
import { ownFile } from "../model/package-files.ts";
import { childPath, isRecord, show } from "../model/value.ts";

/** A JSON schema, as far as `scripts/build-schemas.js` makes them. */
export interface JsonSchema {
  readonly $ref?: string;
  readonly $defs?: Readonly<Record<string, JsonSchema>>;
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly pattern?: string;
  readonly anyOf?: readonly JsonSchema[];
  readonly items?: JsonSchema | false;
  readonly prefixItems?: readonly JsonSchema[];
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  /** What each field is that has a name of its own, or that there is none. */
  readonly additionalProperties?: JsonSchema | false;
  readonly required?: readonly string[];
  readonly dependentRequired?: Readonly<Record<string, readonly string[]>>;
  readonly allOf?: readonly { readonly if: JsonSchema; readonly then: JsonSchema }[];
}

/** A published schema: `run-record` is `schemas/run-record.schema.json`. */
export function readSchema(name: string): JsonSchema {
  return JSON.parse(readFileSync(ownFile(`schemas/${name}.schema.json`), "utf8")) as JsonSchema;
}

/** What is wrong, and the steps to it from there up: a record has millions of numbers, and a path is made for one alone. */
interface Fault {
  readonly steps: (string | number)[];
  readonly expected: string;
  readonly got: unknown;
}

/** What a schema asks of objects. */
interface ObjectSchema {
  readonly properties: Readonly<Record<string, JsonSchema>>;
  readonly entries: readonly (readonly [string, JsonSchema])[];
  readonly required: readonly string[];
  readonly dependent: readonly (readonly [string, readonly string[]])[];
  readonly allOf: NonNullable<JsonSchema["allOf"]>;
  /** Undefined where fields that are not in `properties` are passed over. */
  readonly others: JsonSchema | undefined;
}

/** The check that a JSON schema describes. A field that the schema does not know is passed over. */
export class SchemaCheck {
  readonly #schema: JsonSchema;
  readonly #patterns = new Map<string, RegExp>();
  readonly #objects = new Map<JsonSchema, ObjectSchema>();

  constructor(schema: JsonSchema) {
    this.#schema = schema;
  }

  /** The first thing that is wrong: `cells[3].bytes: expected a number from 0 on, got "841"`; undefined if nothing is. */
  problem(value: unknown): string | undefined {
    const fault = this.#fault(value, this.#schema);
    if (fault === undefined) return undefined;
    const at = fault.steps.reverse().reduce<string>(childPath, "");
    return `${at || "record"}: expected ${fault.expected}, got ${show(fault.got)}`;
  }

  #fault(value: unknown, node: JsonSchema): Fault | undefined {
    const schema = this.#resolved(node);
    if (schema.anyOf !== undefined) return this.#faultOfUnion(value, schema, schema.anyOf);
    if (schema.type === "object" && isRecord(value)) return this.#faultOfObject(value, schema);
    if (schema.type === "array" && Array.isArray(value)) return this.#faultOfList(value, schema);
    return this.#fits(value, schema) ? undefined : this.#wrong(value, schema);
  }

  #faultOfUnion(value: unknown, schema: JsonSchema, kinds: readonly JsonSchema[]): Fault | undefined {
    const faults = kinds.map((kind) => this.#fault(value, kind));
    if (faults.includes(undefined)) return undefined;
    // What is wrong within a list or an object says more than that it is no null.
    const inner = faults.find((fault) => fault !== undefined && fault.steps.length > 0);
    return inner ?? this.#wrong(value, schema);
  }

  #faultOfObject(value: Readonly<Record<string, unknown>>, schema: JsonSchema): Fault | undefined {
    const { properties, entries, required, dependent, allOf, others } = this.#objectOf(schema);
    const needed = [...required];
    for (const [field, names] of dependent) if (value[field] !== undefined) needed.push(...names);
    for (const one of allOf) {
      if (one.then.required !== undefined && this.#faultOfObject(value, one.if) === undefined)
        needed.push(...one.then.required);
    }
    for (const name of needed) {
      if (value[name] === undefined) return below(name, this.#wrong(undefined, properties[name] ?? {}));
    }
    for (const [name, property] of entries) {
      const fault = value[name] === undefined ? undefined : this.#fault(value[name], property);
      if (fault !== undefined) return below(name, fault);
    }
    if (others === undefined) return undefined;
    for (const [name, other] of Object.entries(value)) {
      const fault = Object.hasOwn(properties, name) ? undefined : this.#fault(other, others);
      if (fault !== undefined) return below(name, fault);
    }
    return undefined;
  }

  /** What is asked of objects, made once of each schema: a record has as many as it takes longer to list it than to check. */
  #objectOf(schema: JsonSchema): ObjectSchema {
    const known = this.#objects.get(schema);
    if (known !== undefined) return known;
    const {
      properties = {},
      additionalProperties,
      required = [],
      dependentRequired = {},
      allOf = [],
    } = schema;
    const entries = Object.entries(properties);
    const others = additionalProperties === false ? undefined : additionalProperties;
    const made = {
      properties,
      entries,
      required,
      dependent: Object.entries(dependentRequired),
      allOf,
      others,
    };
    this.#objects.set(schema, made);
    return made;
  }

  #faultOfList(value: readonly unknown[], schema: JsonSchema): Fault | undefined {
    const { prefixItems = [], items, minItems = 0, maxItems = Number.POSITIVE_INFINITY } = schema;
    const most = items === false ? prefixItems.length : maxItems;
    if (value.length < minItems || value.length > most) return this.#wrong(value, schema);
    const rest = items === undefined || items === false ? {} : this.#resolved(items);
    if (prefixItems.length === 0 && areNumbers(value, rest)) return undefined;
    for (let i = 0; i < value.length; i++) {
      const fault = this.#fault(value[i], prefixItems[i] ?? rest);
      if (fault !== undefined) return below(i, fault);
    }
    return undefined;
  }

  #fits(value: unknown, schema: JsonSchema): boolean {
    if (schema.enum !== undefined) return schema.enum.includes(value);
    if (schema.const !== undefined) return schema.const === value;
    const { type } = schema;
    if (typeof type === "object") return type.some((one) => isOfType(value, one));
    if (type !== undefined && !isOfType(value, type)) return false;
    if (typeof value === "number") {
      const { minimum = -Infinity, maximum = Infinity, exclusiveMinimum = -Infinity } = schema;
      return value >= minimum && value <= maximum && value > exclusiveMinimum;
    }
    return typeof value !== "string" || schema.pattern === undefined || this.#matches(value, schema.pattern);
  }

  #matches(text: string, pattern: string): boolean {
    const made = this.#patterns.get(pattern) ?? new RegExp(pattern, "u");
    this.#patterns.set(pattern, made);
    return made.test(text);
  }

  #wrong(got: unknown, schema: JsonSchema): Fault {
    return { steps: [], expected: this.#words(schema), got };
  }

  /** What is expected, as a sentence says it. */
  #words(node: JsonSchema): string {
    const schema = this.#resolved(node);
    if (schema.anyOf !== undefined) return either(schema.anyOf.map((one) => this.#words(one)));
    if (schema.enum !== undefined) return either(schema.enum.map(String));
    if (schema.const !== undefined) return JSON.stringify(schema.const);
    if (typeof schema.type === "object") return either(schema.type.map((type) => TYPES[type] ?? type));
    if (schema.type === "array") return listWords(schema);
    const range = rangeWords(schema);
    const pattern = schema.pattern === undefined ? "" : ` that matches ${schema.pattern}`;
    return `${TYPES[schema.type ?? ""] ?? "something"}${range}${pattern}`;
  }

  #resolved(schema: JsonSchema): JsonSchema {
    if (schema.$ref === undefined) return schema;
    const name = schema.$ref.slice("#/$defs/".length);
    return this.#resolved(this.#schema.$defs?.[name] ?? {});
  }
}

const TYPES: Readonly<Record<string, string>> = {
  array: "a list",
  boolean: "a boolean",
  integer: "a whole number",
  null: "null",
  number: "a number",
  object: "an object",
  string: "a string",
};

function isOfType(value: unknown, type: string): boolean {
  if (type === "null") return value === null;
  if (type === "integer") return Number.isInteger(value);
  if (type === "object") return isRecord(value);
  return type === "array" ? Array.isArray(value) : typeof value === type;
}

/**
 * Whether a list has numbers within a range, of which nothing else is said. Nearly all that a record holds are such lists:
 * nothing is looked up for each number.
 */
function areNumbers(list: readonly unknown[], schema: JsonSchema): boolean {
  if (schema.type !== "number" || schema.enum !== undefined || schema.const !== undefined) return false;
  const { minimum = -Infinity, maximum = Infinity, exclusiveMinimum = -Infinity } = schema;
  for (let i = 0; i < list.length; i++) {
    const value = list[i];
    if (typeof value !== "number" || !(value >= minimum && value <= maximum && value > exclusiveMinimum))
      return false;
  }
  return true;
}

function listWords({ minItems = 0, maxItems, items }: JsonSchema): string {
  if (minItems === 2 && (maxItems === 2 || items === false)) return "two numbers";
  return minItems > 0 ? `a list of at least ${minItems}` : "a list";
}

function rangeWords({ minimum, maximum, exclusiveMinimum }: JsonSchema): string {
  if (exclusiveMinimum !== undefined) return ` above ${exclusiveMinimum}`;
  if (minimum === undefined) return "";
  return maximum === undefined ? ` from ${minimum} on` : ` from ${minimum} to ${maximum}`;
}

/** `a, b or c`. */
function either(words: readonly string[]): string {
  return words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} or ${words.at(-1)}`;
}

function below(step: string | number, fault: Fault): Fault {
  fault.steps.push(step);
  return fault;
}
