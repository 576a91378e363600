/**
 * A job as a line of JSON: what a coordinator sends to a measuring process. A user's values cross in the form of
 * `jsonText`, which any language can read, and become what they were by their schema. Where there are documents, these
 * cross, each as its JSON text, and the values are made of them.
 */
import type { Job, Member } from "../../measure/job.ts";
import type { Dataset } from "../../model/dataset.ts";
import { defined } from "../../model/defined.ts";
import type { EnumType, Field, Int64Mode, MessageType, Schema } from "../../model/schema.ts";
import type { Value } from "../../model/value.ts";
import { conformAll } from "../../schema/values/conform.ts";
import { documentText, jsonReady } from "../../schema/values/json-text.ts";

/** A line with its end. Throws what a value throws that is looked at, and a RangeError where it is too long for a string. */
export function jobLine(job: Job): string {
  const members = job.members.map((member) => ({ ...member, dataset: datasetJson(member.dataset) }));
  return `${JSON.stringify({ ...job, members })}\n`;
}

/** The job of a line that {@link jobLine} made. */
export function parsedJob(line: string): Job {
  const { members, ...job } = JSON.parse(line) as Omit<Job, "members"> & { members: readonly MemberJson[] };
  return {
    ...job,
    members: members.map(({ dataset, ...rest }) => ({ ...rest, dataset: datasetOf(dataset) })),
  };
}

type MemberJson = Omit<Member, "dataset"> & { readonly dataset: string | DatasetJson };

/** A dataset of the user's own, as JSON. */
export interface DatasetJson {
  readonly name: string;
  readonly schema: SchemaJson;
  readonly values?: readonly unknown[];
  readonly documents?: readonly string[];
  readonly int64: Int64Mode;
}

/** A schema whose maps are lists of entries. */
type SchemaJson = Omit<Schema, "messages" | "enums" | "documents"> & {
  readonly messages: readonly (readonly [
    string,
    Omit<MessageType, "fields"> & { readonly fields: readonly FieldJson[] },
  ])[];
  readonly enums: readonly (readonly [string, EnumType])[];
};

/** A field whose numbers are texts beside their types: each may be a bigint, or a number that JSON lacks. */
type FieldJson = Omit<Field, "default" | "names"> & {
  readonly default?: TypedText;
  readonly names?: readonly (readonly [name: string, number: TypedText])[];
};

type TypedText = readonly [type: string, text: string];

/** A dataset as JSON; a name stays a name. */
export function datasetJson(dataset: string | Dataset): string | DatasetJson {
  if (typeof dataset === "string") return dataset;
  const { name, schema, values, documents, int64 } = dataset;
  return {
    name,
    schema: schemaJson(schema),
    ...(documents === undefined ? { values: values.map(jsonReady) } : { documents: textsOf(documents) }),
    int64,
  };
}

/** Texts of documents, which go to every process of a run. */
const texts = new WeakMap<readonly Value[], readonly string[]>();

function textsOf(documents: readonly Value[]): readonly string[] {
  const made = texts.get(documents) ?? documents.map(documentText);
  texts.set(documents, made);
  return made;
}

/** A schema as JSON. */
export function schemaJson(schema: Schema): SchemaJson {
  const messages = Array.from(schema.messages, ([key, message]) => {
    return [key, { ...message, fields: message.fields.map(fieldJson) }] as const;
  });
  return { ...schema, messages, enums: [...schema.enums] };
}

/** What {@link datasetJson} made of a dataset. Throws ValueError, and others for what it did not make. */
export function datasetOf(dataset: string | DatasetJson): string | Dataset {
  if (typeof dataset === "string") return dataset;
  const { name, int64 } = dataset;
  const messages = dataset.schema.messages.map(([key, message]) => {
    return [key, { ...message, fields: message.fields.map(fieldOf) }] as const;
  });
  const schema: Schema = {
    ...dataset.schema,
    messages: new Map(messages),
    enums: new Map(dataset.schema.enums),
  };
  const documents = dataset.documents?.map((text) => JSON.parse(text) as Value);
  const form = documents === undefined ? "text" : "json";
  const { values } = conformAll(schema, documents ?? dataset.values ?? [], { form, int64 });
  // Cloned, so that nothing is measured of how JSON.parse holds objects and strings: it shares many of them.
  const [cloned, own] = structuredClone([values, documents]);
  return { name, schema, values: cloned, ...defined({ documents: own }), int64 };
}

function fieldJson({ default: given, names, ...field }: Field): FieldJson {
  return {
    ...field,
    ...defined({
      default: given === undefined ? undefined : typedText(given),
      names: names?.map(({ name, number }) => [name, typedText(number)] as const),
    }),
  };
}

function fieldOf({ default: given, names, ...field }: FieldJson): Field {
  return {
    ...field,
    ...defined({
      default: given && typedValue(given),
      names: names?.map(([name, number]) => ({ name, number: typedValue(number) as number | bigint })),
    }),
  };
}

function typedText(value: NonNullable<Field["default"]>): TypedText {
  return [typeof value, Object.is(value, -0) ? "-0" : String(value)];
}

function typedValue([type, text]: TypedText): NonNullable<Field["default"]> {
  if (type === "bigint") return BigInt(text);
  if (type === "number") return Number(text);
  return type === "boolean" ? text === "true" : text;
}
