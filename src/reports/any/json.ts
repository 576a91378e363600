import { defineReport, type RecordKind, type RecordsByKind } from "../../model/report.ts";

export default defineReport({
  of: "any",
  summary: "the record itself",
  render: renderJson,
});

/** The record as JSON: one field a line, but long lists of numbers on one line each. */
export function renderJson(record: RecordsByKind[RecordKind]): string {
  return `${pretty(record, "")}\n`;
}

/** JSON.stringify's indentation would give each of a million batch means a line of its own. */
function pretty(value: unknown, indent: string): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const deeper = `${indent}  `;
  if (Array.isArray(value)) {
    if (value.every((item) => typeof item !== "object" || item === null)) return JSON.stringify(value);
    return `[\n${value.map((item) => deeper + pretty(item, deeper)).join(",\n")}\n${indent}]`;
  }
  const fields = Object.entries(value).filter(([, field]) => field !== undefined);
  if (fields.length === 0) return "{}";
  const lines = fields.map(([key, field]) => `${deeper}${JSON.stringify(key)}: ${pretty(field, deeper)}`);
  return `{\n${lines.join(",\n")}\n${indent}}`;
}
