import type { Schema } from "../../model/schema.ts";
import {
  type CapnpEnum,
  type CapnpLayout,
  type CapnpStruct,
  type CapnpType,
  capnpLayout,
  slotsOf,
} from "../layout/capnp.ts";

/**
 * A schema in Cap'n Proto's schema language. `capnp compile` gives its fields the places of {@link capnpLayout}.
 * Throws UnsupportedError where that does.
 */
export function emitCapnp(schema: Schema): string {
  const layout = capnpLayout(schema);
  const parts = [
    `# The root is ${layout.structs[0]?.name}${fromPackage(schema)}.\n@0x${layout.id};\n`,
    ...layout.structs.map((struct) => structText(struct, layout)),
    ...layout.enums.map(enumText),
  ];
  return parts.join("\n");
}

/** A comment ends with its line, and a name may hold anything. */
function fromPackage(schema: Schema): string {
  return schema.package === "" ? "" : ` of the package ${schema.package.replace(/[^\w.-]/g, "?")}`;
}

function structText(struct: CapnpStruct, layout: CapnpLayout): string {
  const fields = slotsOf(struct).map(
    ({ name, ordinal, type }) => `  ${name} @${ordinal} :${typeText(type, layout)};\n`,
  );
  return `struct ${struct.name} @0x${struct.id} {\n${fields.join("")}}\n`;
}

function enumText({ name, enumerants }: CapnpEnum): string {
  const lines = enumerants.map((enumerant, number) => `  ${enumerant} @${number};\n`);
  return `enum ${name} {\n${lines.join("")}}\n`;
}

function typeText(type: CapnpType, layout: CapnpLayout): string {
  switch (type.kind) {
    case "list":
      return `List(${typeText(type.element, layout)})`;
    case "struct":
      return layout.structs[type.struct]?.name ?? "";
    case "enum":
      return type.enum.name;
    case "primitive":
      return type.name;
    case "text":
      return "Text";
    case "data":
      return "Data";
  }
}
