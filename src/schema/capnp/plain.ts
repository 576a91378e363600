import { assignField, literal, literalKey } from "../../model/generated-code.ts";
import { hasPresence, type Int64Mode } from "../../model/schema.ts";
import type {
  CapnpElement,
  CapnpLayout,
  CapnpList,
  CapnpMember,
  CapnpSlot,
  CapnpStruct,
} from "../layout/capnp.ts";
import { entryOf, fromLibrary, isData, listClass, SectionReads } from "./calls.ts";

/**
 * The source of functions `plain0(s)` and so on that give the plain value of the struct `s`, with the calls
 * that the library's generator puts into `get()`. Bytes are views of the message.
 * @param older whether sections may be shorter than the layout says
 */
export function plainFunctions(layout: CapnpLayout, int64: Int64Mode, older: boolean): string {
  const code = new PlainCode(layout, int64, new SectionReads(older));
  return layout.structs.map((struct, index) => code.struct(struct, index)).join("\n");
}

class PlainCode {
  readonly #layout: CapnpLayout;
  readonly #int64: Int64Mode;
  readonly #reads: SectionReads;

  constructor(layout: CapnpLayout, int64: Int64Mode, reads: SectionReads) {
    this.#layout = layout;
    this.#int64 = int64;
    this.#reads = reads;
  }

  /** The fields before the first that may be absent are an object literal. */
  struct(struct: CapnpStruct, index: number): string {
    const { members } = struct;
    const lists = members
      .filter(({ slot }) => slot.type.kind === "list")
      .map((member) => this.#list(member, index));
    const split = members.findIndex(({ field }) => hasPresence(field));
    const fixed = split < 0 ? members.length : split;
    const literalFields = members
      .slice(0, fixed)
      .map(({ field, slot }) => `    ${literalKey(field.name)}: ${this.#value(slot, index)},\n`);
    const assignments = members.slice(fixed).map((member) => `  ${this.#assign(member, struct, index)}\n`);
    return `${lists.join("")}function plain${index}(s) {
  ${this.#reads.size}const o = {\n${literalFields.join("")}  };
${assignments.join("")}  return o;
}`;
  }

  #assign(member: CapnpMember, struct: CapnpStruct, index: number): string {
    const { field, slot, flag, tag } = member;
    const assign = assignField("o", field.name, this.#value(slot, index, tag !== undefined));
    if (!hasPresence(field)) return assign;
    if (tag !== undefined) return `if (${this.#reads.isMember(member, struct)}) { ${assign} }`;
    const present =
      flag !== undefined && isData(flag.type)
        ? this.#reads.data(flag, flag.type)
        : this.#reads.isPresent(slot);
    return `if (${present}) { ${assign} }`;
  }

  /** The plain value of a field; where the pointer is null, its default. */
  #value(slot: CapnpSlot, index: number, inUnion = false): string {
    const { type, offset } = slot;
    switch (type.kind) {
      case "text":
        return this.#reads.pointer(slot, `Struct.getText(${offset}, s)`, '""');
      case "data":
        return `(${this.#reads.isPresent(slot)} ? Struct.getData(${offset}, s).toUint8Array() : new Uint8Array(0))`;
      case "struct": {
        const target = `Struct.getStruct(${offset}, R${type.struct}, s)`;
        // Only in a union a null pointer stands for a struct of defaults.
        return `plain${type.struct}(${inUnion ? `${this.#reads.isPresent(slot)} ? ${target} : nothing(R${type.struct})` : target})`;
      }
      case "list": {
        const list = `list${index}_${slot.ordinal}(${this.#reads.struct})`;
        return type.wrapper === undefined ? list : `{ ${literalKey(type.wrapper)}: ${list} }`;
      }
      case "group":
        return `plain${type.struct}(s)`;
      case "void":
        return "0";
      default:
        return fromLibrary(type, this.#reads.data(slot, type), this.#int64);
    }
  }

  #list({ field, slot }: CapnpMember, index: number): string {
    if (slot.type.kind !== "list") return "";
    const { element } = slot.type;
    const map = field.repetition.kind === "map";
    const [inner, read] =
      element.kind === "list" ? this.#inner(element, `${index}_${slot.ordinal}_`) : ["", ""];
    const one = element.kind === "list" ? read : this.#element(element);
    const add = map ? this.#addEntry(slot, field.name) : `c.push(${one});`;
    return `${inner}function list${index}_${slot.ordinal}(${this.#reads.struct}) {
  const c = ${map ? "{}" : "[]"};
  if (!${this.#reads.isPresent(slot)}) return c;
  const l = Struct.getList(${slot.offset}, ${listClass(element, "R")}, s), n = lengthOf(l);
  for (let i = 0; i < n; i++) { ${add} }
  return c;
}
`;
  }

  /** The function that reads a list in a list, and the expression that calls it for the element `i` of `l`. */
  #inner({ element, wrapper = "" }: CapnpList, name: string): readonly [string, string] {
    const [inner, read] = element.kind === "list" ? this.#inner(element, `${name}_`) : ["", ""];
    const one = element.kind === "list" ? read : this.#element(element);
    const source = `${inner}function list${name}(l) {
  const c = [];
  if (isNull(l)) return c;
  for (let i = 0, n = lengthOf(l); i < n; i++) c.push(${one});
  return c;
}
`;
    return [source, `{ ${literalKey(wrapper)}: list${name}(l.get(i)) }`];
  }

  #element(element: CapnpElement): string {
    switch (element.kind) {
      case "struct":
        return `plain${element.struct}(l.get(i))`;
      case "data":
        return "l.get(i).toUint8Array()";
      case "text":
        return "l.get(i)";
      default:
        return fromLibrary(element, "l.get(i)", this.#int64);
    }
  }

  #addEntry(slot: CapnpSlot, name: string): string {
    const { entry, key, value } = entryOf(slot.type, this.#layout);
    const read =
      key.type.kind === "text" ? this.#value(key, entry) : `String(${this.#reads.data(key, key.type)})`;
    return `const s = l.get(i); ${this.#reads.size}const k = ${read};
    if (Object.hasOwn(c, k)) twice(${literal(name)}, k);
    setOwn(c, k, ${this.#value(value, entry)});`;
  }
}
