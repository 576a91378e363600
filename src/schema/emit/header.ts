import type { CEnum, CMember, CScalar, CStruct } from "../../formats/c-struct/index.ts";
import { bytesMembers, describeStruct } from "../../formats/c-struct/shape.ts";
import type { Dataset } from "../../model/dataset.ts";
import { inBytes } from "../../model/in-bytes.ts";
import { identifiers } from "../identifiers.ts";
import { cStruct } from "../layout/c.ts";

/**
 * A dataset's struct as a C header, for C99 and C++11 and later: enums, then structs from the leaves to the
 * root. Reading it back gives the same layout; a map comes back as the list of entries that C sees, and an
 * enum of one byte as `int8_t`. Throws UnsupportedError as {@link cStruct} does.
 */
export function emitHeader(dataset: Pick<Dataset, "schema" | "values">): string {
  const types = new Types(cStruct(dataset));
  const blocks = [
    ["#include <stdbool.h>", "#include <stdint.h>"],
    ...types.enums.map((type) => enumBlock(type, types.names)),
    ...types.structs.map((struct) => structBlock(struct, types.names)),
  ];
  const body = blocks.map((lines) => `${lines.join("\n")}\n`).join("\n");
  return `#ifndef ${types.guard}\n#define ${types.guard}\n\n${body}\n#endif\n`;
}

/** What a struct needs to be declared, in the order in which C wants it. */
class Types {
  readonly structs: readonly CStruct[];
  readonly enums: readonly CEnum[];
  /** Tags, which structs and enums share; a type that its header left unnamed is `outer.member` there. */
  readonly names: Names;
  readonly guard: string;

  constructor(root: CStruct) {
    const structs = new Set<CStruct>();
    const enums = new Set<CEnum>();
    const visit = (struct: CStruct): void => {
      if (structs.has(struct)) return;
      for (const { type } of struct.members) {
        if (type.kind === "enum") enums.add(type.enum);
        else if (type.kind === "struct" && bytesMembers(type.struct) === undefined) visit(type.struct);
      }
      structs.add(struct);
    };
    visit(root);
    this.structs = [...structs];
    this.enums = [...enums];
    const structNames = identifiers(this.structs.map(({ name }) => name));
    const reserved = new Set(structNames.values());
    const enumNames = identifiers(
      this.enums.map(({ name }) => name),
      { reserved },
    );
    this.names = new Map<CStruct | CEnum, string>([
      ...this.structs.map((struct) => [struct, structNames.get(struct.name)!] as const),
      ...this.enums.map((type) => [type, enumNames.get(type.name)!] as const),
    ]);
    this.guard = this.#unusedMacro(`${structNames.get(root.name)}_h`.toUpperCase());
  }

  /** A macro of the name of anything in the header would make that vanish. */
  #unusedMacro(wanted: string): string {
    const inside = [
      ...this.structs.flatMap(({ members }) => members),
      ...this.enums.flatMap(({ values }) => values),
    ].map(({ name }) => name);
    const used = new Set([...this.names.values(), ...inside]);
    let macro = wanted;
    while (used.has(macro)) macro += "_";
    return macro;
  }
}

type Names = ReadonlyMap<CStruct | CEnum, string>;

function enumBlock(type: CEnum, names: Names): string[] {
  const { values } = type;
  const lines = values.map(
    (value, i) => `  ${value.name} = ${value.number}${i < values.length - 1 ? "," : ""}`,
  );
  return [`enum ${names.get(type)} {`, ...lines, "};"];
}

function structBlock(struct: CStruct, names: Names): string[] {
  const { size, flexible } = describeStruct(struct);
  const more = flexible === undefined ? "" : `, and ${flexible.stride} for each of ${flexible.member.name}`;
  return [
    `/* ${inBytes(size)}${more}. */`,
    `struct ${names.get(struct)} {`,
    ...struct.members.map((member) => `  ${declaration(member, names)}`),
    "};",
  ];
}

function declaration(member: CMember, names: Names): string {
  const { name, type, dimensions, flexible } = member;
  const bounds = `${flexible ? "[]" : ""}${dimensions.map((bound) => `[${bound}]`).join("")}`;
  // C++ has no flexible arrays: this keeps g++ -pedantic from saying so.
  const head = flexible ? "__extension__ " : "";
  const note = type.kind === "enum" && type.bits === 8 ? ` /* enum ${names.get(type.enum)} */` : "";
  return `${head}${spelling(member, names)} ${name}${bounds};${note}`;
}

function spelling({ type }: CMember, names: Names): string {
  switch (type.kind) {
    case "scalar":
      return scalarName(type.scalar);
    case "enum":
      return type.bits === 8 ? "int8_t" : `enum ${names.get(type.enum)}`;
    case "struct":
      break;
  }
  const bytes = bytesMembers(type.struct);
  if (bytes === undefined) return `struct ${names.get(type.struct)}`;
  return `struct { ${[bytes.size, bytes.bytes].map((member) => declaration(member, names)).join(" ")} }`;
}

function scalarName(scalar: CScalar): string {
  return /\d$/.test(scalar) ? `${scalar}_t` : scalar;
}
