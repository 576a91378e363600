import { Builder, ByteBuffer } from "flatbuffers";
import { type Binding, bytesOf, type Encoded } from "../../model/codec.ts";
import type { Dataset } from "../../model/dataset.ts";
import { UnsupportedError } from "../../model/errors.ts";
import { compile } from "../../model/generated-code.ts";
import type { Value } from "../../model/value.ts";
import {
  extentOf,
  type FlatElement,
  type FlatField,
  type FlatLayout,
  flatLayout,
} from "../../schema/layout/flatbuffers.ts";
import { deciding } from "../../schema/values/transcode.ts";
import { conversionFunctions, conversionScope } from "./object-convert.ts";
import { refuseDepth } from "./pack.ts";
import { readerClasses, stringAt } from "./readers.ts";
import { absentValue, addElement, addField, vtableOffset } from "./scalar-calls.ts";
import { verifierOf } from "./verifier.ts";
import { objectVisits } from "./visit.ts";

/** An object of a generated class that holds the root table. */
interface Message {
  pack(builder: Builder): number;
}

interface Code {
  object(value: Value): Message;
  root(bb: ByteBuffer): { unpack(): Message };
  plain(message: Message): Value;
  visit(message: Message): number;
}

/**
 * Binds the style of flatc's object API: `build` and `plain` convert between plain values and its objects,
 * `write` packs them and `read` unpacks them.
 */
export function bindObject(dataset: Dataset): Binding<Message, Message> {
  const layout = flatLayout(dataset.schema);
  refuseInline(layout);
  const source = `${readerClasses(layout, (table) => unpackBody(layout, table))}
${objectClasses(layout)}
${conversionFunctions(layout, dataset.int64)}
${objectVisits(layout)}
return { object: (value) => object0(value), root: (bb) => T0.getRoot(bb), plain: plain0, visit: visit0 };`;
  const code = compile<Code>(source, { ...conversionScope, stringAt, refuseDepth });
  const builder = new Builder();
  const read = (bytes: Encoded): Message => code.root(new ByteBuffer(bytesOf(bytes, "flatbuffers"))).unpack();
  // Finds out now whether any of them is one that this style cannot carry.
  for (const value of dataset.values) code.object(value);
  return deciding("flatbuffers", dataset, {
    build: code.object,
    write(message) {
      builder.clear();
      builder.finish(message.pack(builder), layout.identifier);
      return builder.asUint8Array().slice();
    },
    read,
    plain: code.plain,
    access: (bytes) => code.visit(read(bytes)),
    text: "utf16",
    direct: { build: false, plain: false },
    verify: verifierOf(layout, dataset),
  });
}

/** Refuses what flatc's object API has and this one has not. */
function refuseInline({ tables }: FlatLayout): void {
  const inline = tables.find(
    ({ form, fields }) => form === "struct" || fields.some(({ union }) => union !== undefined),
  );
  if (inline === undefined) return;
  throw new UnsupportedError(
    `flatbuffers:object: ${inline.name}: structs and unions are not carried by this style`,
  );
}

/**
 * The source of the object API's classes, as flatc 25.9.23 writes them: class `X0` holds table 0 with field 0
 * in `f0`, and `pack(b)` adds it to a builder. {@link unpackBody} is the other way.
 */
export function objectClasses(layout: FlatLayout): string {
  const classes = layout.tables.map(({ fields }, table) => {
    const vectors = fields.map(({ type }, id) => {
      if (type.kind === "bytes") return vectorFunction({ kind: "scalar", scalar: "ubyte" }, table, id);
      return type.kind === "vector" ? vectorFunction(type.element, table, id) : "";
    });
    const parameters = fields.map((field, id) => `f${id} = ${isList(field) ? "[]" : absentValue(field)}`);
    const assignments = fields.map((_, id) => `    this.f${id} = f${id};\n`);
    const children = fields.map((field, id) => child(field, table, id));
    const added = fields.map(add);
    const required = fields.map(checkRequired);
    return `${vectors.join("")}class X${table} {
  constructor(${parameters.join(", ")}) {
${assignments.join("")}  }
  pack(b) {
${children.join("")}    b.startObject(${fields.length});
${added.join("")}    const end = b.endObject();
${required.join("")}    return end;
  }
}
`;
  });
  return classes.join("");
}

/** Body of the method `unpack()` of a reader class. */
function unpackBody({ tables }: FlatLayout, table: number): string {
  const values = tables[table]!.fields.map((field, id) => {
    const { type } = field;
    const list = `(this.f${id}.bind(this), this.f${id}Length())`;
    if (type.kind === "vector" && type.element.kind === "table") return `this.bb.createObjList${list}`;
    if (isList(field)) return `this.bb.createScalarList${list}`;
    return type.kind === "table"
      ? `(this.f${id}() !== null ? this.f${id}().unpack() : null)`
      : `this.f${id}()`;
  });
  return `return new X${table}(${values.join(", ")});`;
}

function isList({ type }: FlatField): boolean {
  return type.kind === "vector" || type.kind === "bytes";
}

/** Adds a vector, an empty one too. */
function vectorFunction(element: FlatElement, table: number, id: number): string {
  const size = extentOf(element).size;
  const each = element.kind === "scalar" ? addElement(element.scalar, "data[i]") : "b.addOffset(data[i])";
  return `function vector${table}_${id}(b, data) {
  b.startVector(${size}, data.length, ${size});
  for (let i = data.length - 1; i >= 0; i--) ${each};
  return b.endVector();
}
`;
}

function child({ type }: FlatField, table: number, id: number): string {
  const own = `this.f${id}`;
  switch (type.kind) {
    case "scalar":
    case "struct":
      return "";
    case "string":
      return `    const o${id} = (${own} !== null ? b.createString(${own}) : 0);\n`;
    case "table":
      return `    const o${id} = (${own} !== null ? ${own}.pack(b) : 0);\n`;
    case "bytes":
      return `    const o${id} = vector${table}_${id}(b, ${own});\n`;
    case "vector": {
      const data = type.element.kind === "scalar" ? own : `b.createObjectOffsetList(${own})`;
      return `    const o${id} = vector${table}_${id}(b, ${data});\n`;
    }
  }
}

/** Unlike the other style this one adds fields in the order of their declaration. */
function add(field: FlatField, id: number): string {
  if (field.type.kind !== "scalar") return `    b.addFieldOffset(${id}, o${id}, 0);\n`;
  const added = addField(field, field.type.scalar, `this.f${id}`);
  return field.presence === "optional" ? `    if (this.f${id} !== null) ${added}\n` : `    ${added}\n`;
}

function checkRequired({ type, presence }: FlatField, id: number): string {
  const isRequired = type.kind !== "scalar" && presence === "required";
  return isRequired ? `    b.requiredField(end, ${vtableOffset(id)});\n` : "";
}
