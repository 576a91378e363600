import type { Schema } from "../../model/schema.ts";
import {
  type CapnpEnum,
  type CapnpLayout,
  type CapnpMember,
  type CapnpSlot,
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
    ...layout.structs.filter(({ form }) => form !== "group").map((struct) => structText(struct, layout)),
    ...layout.enums.map(enumText),
  ];
  return parts.join("\n");
}

/** A comment ends with its line, and a name may hold anything. */
function fromPackage(schema: Schema): string {
  return schema.package === "" ? "" : ` of the package ${schema.package.replace(/[^\w.-]/g, "?")}`;
}

function structText(struct: CapnpStruct, layout: CapnpLayout): string {
  return `struct ${struct.name} @0x${struct.id} {\n${bodyText(struct, layout, "  ")}}\n`;
}

/** The fields of a struct or group, and the union that some of them are in. */
function bodyText({ members }: CapnpStruct, layout: CapnpLayout, indent: string): string {
  const [plain, tagged] = [
    members.filter(({ tag }) => tag === undefined),
    members.filter(({ tag }) => tag !== undefined),
  ];
  const text = (some: readonly CapnpMember[], at: string): string =>
    slotsOf({ members: some })
      .map((slot) => slotText(slot, layout, at))
      .join("");
  const union = tagged.length === 0 ? "" : `${indent}union {\n${text(tagged, `${indent}  `)}${indent}}\n`;
  return text(plain, indent) + union;
}

function slotText({ name, ordinal, type, zero }: CapnpSlot, layout: CapnpLayout, indent: string): string {
  if (type.kind === "group") {
    return `${indent}${name} :group {\n${bodyText(layout.structs[type.struct]!, layout, `${indent}  `)}${indent}}\n`;
  }
  const value = type.kind === "enum" ? type.enum.enumerants[Number(zero)] : numberText(zero);
  const declared = zero === undefined ? "" : ` = ${value}`;
  return `${indent}${name} @${ordinal} :${typeText(type, layout)}${declared};\n`;
}

function numberText(value: number | bigint | boolean | undefined): string {
  if (Object.is(value, -0)) return "-0.0";
  return String(value).replace("Infinity", "inf").replace("NaN", "nan");
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
    case "void":
      return "Void";
    case "group":
      throw new Error("a group is no type");
  }
}
