/** Many schemas in one, so that one run of a reference program checks them all. */
import type { Dataset } from "../../src/model/dataset.ts";
import type { EnumType, Field, FieldType, MessageType, Schema } from "../../src/model/schema.ts";
import type { Value } from "../../src/model/value.ts";
import { conform } from "../../src/schema/values/conform.ts";

/** A dataset whose one value holds the values of all the others, each under a field of its own. */
export function merged(datasets: readonly Dataset[]): Dataset {
  const messages = new Map<string, MessageType>();
  const enums = new Map<string, EnumType>();
  for (const [index, { schema }] of datasets.entries()) {
    const rename = (type: FieldType): FieldType =>
      type.kind === "scalar" ? type : { ...type, name: `all.s${index}.${type.name}` };
    for (const { name, fields } of schema.messages.values()) {
      const full = `all.s${index}.${name}`;
      messages.set(full, {
        name: full,
        fields: fields.map((field) => ({ ...field, type: rename(field.type) })),
      });
    }
    for (const type of schema.enums.values()) {
      const full = `all.s${index}.${type.name}`;
      enums.set(full, { ...type, name: full });
    }
  }
  const fields = datasets.map(({ schema }, index): Field => {
    const type = { kind: "message", name: `all.s${index}.${schema.root}` } as const;
    return { name: `s${index}`, number: index + 1, type, repetition: { kind: "list", packed: false } };
  });
  messages.set("all.Root", { name: "all.Root", fields });
  const schema: Schema = { package: "all", root: "all.Root", messages, enums };
  const input = Object.fromEntries(datasets.map(({ values }, index) => [`s${index}`, values as Value[]]));
  const { value } = conform(schema, input, { form: "plain", int64: "bigint" });
  return { name: "merged", schema, values: [value], int64: "bigint" };
}
