import { assignField, literalKey } from "../../model/generated-code.ts";

/** How one field of a plain object is made from what the library holds in parameter `t`. */
export interface RecordField {
  /** The schema's name. */
  readonly name: string;
  /** Expression that reads it; null where the field is absent. */
  readonly read: string;
  /** The plain value of that expression, or of a variable that holds its value. */
  value(read: string): string;
  /** Whether it may be absent from the plain object too. */
  readonly optional: boolean;
}

/** The source of a function that makes a plain object. Fields before the first optional one form a literal. */
export function recordFunction(name: string, fields: readonly RecordField[]): string {
  const first = fields.findIndex(({ optional }) => optional);
  const leading = first < 0 ? fields : fields.slice(0, first);
  const entries = leading.map((field) => `    ${literalKey(field.name)}: ${field.value(field.read)},\n`);
  const assignments = fields
    .slice(leading.length)
    .map((field) =>
      field.optional
        ? `  x = ${field.read}; if (x !== null) { ${assignField("o", field.name, field.value("x"))} }\n`
        : `  ${assignField("o", field.name, field.value(field.read))}\n`,
    );
  return `function ${name}(t) {
  let x;
  const o = {\n${entries.join("")}  };
${assignments.join("")}  return o;
}
`;
}
