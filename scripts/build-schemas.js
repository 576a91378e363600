// Makes the JSON schema of each kind of record and of a run's journal, in schemas/, of its type. What a type cannot say
// is in tags of the doc comments: @minimum, @asType integer, @pattern and the like as in JSON schema, and
//
//   @needs { status: { failed: ["reason"] } }     with this status it has these fields
//
// With --check nothing is written, and a schema that is not what its type says is an error.
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { createGenerator } from "ts-json-schema-generator";

const SCHEMAS = [
  ["run-record", "model/records/run.ts", "RunRecord", "wirebench run record"],
  ["ipc-record", "model/records/ipc.ts", "IpcRecord", "wirebench record of a run between processes"],
  [
    "ipc-remote-record",
    "model/records/ipc-remote.ts",
    "IpcRemoteRecord",
    "wirebench record of messages between two machines",
  ],
  [
    "doctor-record",
    "model/records/doctor.ts",
    "DoctorRecord",
    "wirebench record of an examination of a machine",
  ],
  ["claims-record", "model/records/claims.ts", "ClaimsRecord", "wirebench record of published claims"],
  ["classic-record", "model/records/classic.ts", "ClassicRecord", "wirebench record of a published method"],
  ["facts-record", "model/records/facts.ts", "FactsRecord", "wirebench record of facts"],
  ["comparison", "model/records/comparison.ts", "Comparison", "wirebench comparison"],
  [
    "fleet-messages",
    "fleet/messages.ts",
    "FleetMessages",
    "wirebench messages between a coordinator and its workers",
  ],
  ["run-journal", "suite/journal.ts", "JournalLine", "wirebench journal of a run: each line of it"],
];

const root = path.resolve(import.meta.dirname, "..");
let stale = 0;
for (const [name, file, type, title] of SCHEMAS) {
  const target = path.join(root, "schemas", `${name}.schema.json`);
  const made = createGenerator({
    path: path.join(root, "src", file),
    tsconfig: path.join(root, "tsconfig.json"),
    type,
    topRef: false,
    // The types are checked by the build.
    skipTypeCheck: true,
    extraTags: ["needs", "dependentRequired"],
  }).createSchema(type);
  const { $schema: _, ...schema } = converted(made);
  const text = inLines({ $schema: "https://json-schema.org/draft/2020-12/schema", title, ...schema });
  if (!process.argv.includes("--check")) {
    writeFileSync(target, text);
  } else if (readFileSync(target, "utf8") !== text) {
    console.error(`schemas/${name}.schema.json: not what ${type} says: run node scripts/build-schemas.js`);
    stale += 1;
  }
}
process.exitCode = stale > 0 ? 1 : 0;

/** A schema as text with a line for each of its parts and definitions: they are part of the package, and are compared by people. */
function inLines({ $defs = {}, ...schema }) {
  const lines = (object) =>
    Object.entries(object).map(([key, value]) => `${JSON.stringify(key)}: ${JSON.stringify(value)}`);
  const definitions = `"$defs": {\n${lines($defs).join(",\n")}\n}`;
  return `{\n${[...lines(schema), definitions].join(",\n")}\n}\n`;
}

/** A schema of draft 7 as one of 2020-12, with the tags of our own in its words. */
function converted(schema) {
  if (Array.isArray(schema)) return schema.map(converted);
  if (typeof schema !== "object" || schema === null) return schema;
  const { needs, definitions, items, maxItems, description, type, ...rest } = schema;
  const out = {};
  // A constant says its type itself.
  if (type !== undefined && rest.const === undefined && rest.enum === undefined) out.type = type;
  if (description !== undefined) out.description = plainText(description);
  for (const [key, value] of Object.entries(rest)) {
    if (key === "$ref") out[key] = value.replace("#/definitions/", "#/$defs/");
    // Fields may be called as what a schema says: `type`.
    else if (key === "properties") out[key] = mapValues(value, converted);
    else out[key] = converted(value);
  }
  if (Array.isArray(items)) Object.assign(out, { prefixItems: items.map(converted), items: false });
  else if (items !== undefined) Object.assign(out, { items: converted(items) }, maxItems && { maxItems });
  if (needs !== undefined) out.allOf = conditionsOf(needs);
  if (definitions !== undefined) out.$defs = converted(definitions);
  return out;
}

function mapValues(object, change) {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, change(value)]));
}

function conditionsOf(needs) {
  return Object.entries(needs).flatMap(([field, fieldsByValue]) =>
    Object.entries(fieldsByValue).map(([value, required]) => ({
      if: { properties: { [field]: { const: value === "false" ? false : value } } },
      then: { required },
    })),
  );
}

/** Links within doc comments lead nowhere here. */
function plainText(comment) {
  return comment.replace(/\{@link\s+([^}]*?)\s*\}\s?(?=[.,;:)])|\{@link\s+([^}]*?)\s*\}/g, "$1$2");
}
