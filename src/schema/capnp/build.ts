import { fieldOf, literal } from "../../model/generated-code.ts";
import { hasPresence, type Int64Mode } from "../../model/schema.ts";
import type {
  CapnpElement,
  CapnpLayout,
  CapnpList,
  CapnpMember,
  CapnpSlot,
  CapnpStruct,
} from "../layout/capnp.ts";
import { entryOf, keyToLibrary, listClass, setData, TAG, toLibrary } from "./calls.ts";

/**
 * The source of functions `build0(v, s, d)` and so on that fill the struct `s` from the plain value `v`. They
 * allocate depth first and in the order of the pointers, as the C++ library does when it copies a message, so
 * that the bytes are the same. An empty list or map stays a null pointer.
 * @param deep whether to count the nesting `d`, and call `tooDeep` beyond the limit
 */
export function buildFunctions(layout: CapnpLayout, int64: Int64Mode, deep: boolean): string {
  const code = new BuildCode(layout, int64, deep);
  return layout.structs.map((struct, index) => code.struct(struct, index)).join("\n");
}

class BuildCode {
  readonly #layout: CapnpLayout;
  readonly #int64: Int64Mode;
  readonly #deep: boolean;

  constructor(layout: CapnpLayout, int64: Int64Mode, deep: boolean) {
    this.#layout = layout;
    this.#int64 = int64;
    this.#deep = deep;
  }

  struct(struct: CapnpStruct, index: number): string {
    const check = this.#deep ? "  if (d > LIMIT) tooDeep();\n" : "";
    const lines = struct.members.map(
      (member) => `  x = ${fieldOf("v", member.field.name)};\n  ${this.#member(member, struct)}\n`,
    );
    return `function build${index}(v, s${this.#deep ? ", d" : ""}) {\n${check}  let x, k;\n${lines.join("")}}`;
  }

  #member({ field, slot, flag, tag }: CapnpMember, { discriminant = 0 }: CapnpStruct): string {
    if (field.repetition.kind === "map") return this.#map(slot);
    const set = slot.type.kind === "list" ? this.#list(slot, slot.type) : this.#set(slot, "x", "s", "d");
    if (tag !== undefined) {
      return `if (x !== undefined) { ${setData(TAG, { offset: discriminant }, String(tag), "s")}; ${set} }`;
    }
    if (!hasPresence(field)) return set;
    const raise = flag === undefined ? "" : ` Struct.setBit(${flag.offset}, true, s);`;
    return `if (x !== undefined) { ${set}${raise} }`;
  }

  /** The statement that sets a field of the struct `s`, itself at nesting `depth`. */
  #set(slot: CapnpSlot, value: string, s: string, depth: string): string {
    const { type, offset } = slot;
    switch (type.kind) {
      case "text":
        return `Struct.setText(${offset}, ${value}, ${s});`;
      case "data":
        return `Struct.initData(${offset}, ${value}.length, ${s}).copyBuffer(${value});`;
      case "struct":
        return isEmpty(this.#layout.structs[type.struct])
          ? `${this.#refuseFrom(depth)}emptyStruct(Struct.getPointer(${offset}, ${s}));`
          : this.#fill(
              type.struct,
              value,
              `Struct.initStructAt(${offset}, W${type.struct}, ${s})`,
              `${depth} + 1`,
            );
      case "list":
        throw new Error("a list is set element by element");
      case "void":
        return "";
      case "group":
        return this.#fill(type.struct, value, s, depth);
      default:
        return `${setData(type, slot, toLibrary(type, value, this.#int64), s)};`;
    }
  }

  #fill(struct: number, value: string, s: string, depth: string): string {
    return `build${struct}(${value}, ${s}${this.#deep ? `, ${depth}` : ""});`;
  }

  /** What is nested in a struct at this depth is nested too deep. */
  #refuseFrom(depth: string): string {
    return this.#deep ? `if (${depth} >= LIMIT) tooDeep(); ` : "";
  }

  #list({ offset }: CapnpSlot, { element, wrapper }: CapnpList): string {
    return `${wrapper === undefined ? "" : `x = ${fieldOf("x", wrapper)}; `}if (x.length > 0) {
    ${this.#refuseFrom("d")}const l = Struct.initList(${offset}, ${listClass(element, "W")}, x.length, s);
    for (let i = 0; i < x.length; i++) { ${this.#element(element, "l", "x", "i", 1)} }
  }`;
  }

  /** The statement that sets an element of a list that is itself at nesting `d + level`. */
  #element(
    element: CapnpElement | CapnpList,
    list: string,
    values: string,
    i: string,
    level: number,
  ): string {
    const [place, value] = [`${list}.get(${i})`, `${values}[${i}]`];
    switch (element.kind) {
      case "struct":
        return this.#fill(element.struct, value, place, `d + ${level + 1}`);
      case "data":
        return `setDataElement(${place}, ${value});`;
      case "text":
        return `${list}.set(${i}, ${value});`;
      case "list": {
        const [l, x, j] = [`l${level}`, `x${level}`, `i${level}`];
        const each = this.#element(element.element, l, x, j, level + 1);
        const make = `initList(${listClass(element.element, "W")}._capnp.size, ${x}.length, ${l}, ${listClass(element.element, "W")}._capnp.compositeSize);`;
        return `const ${x} = ${value}[${literal(element.wrapper ?? "")}], ${l} = ${place}; if (${x}.length > 0) { ${this.#refuseFrom(`d + ${level}`)}${make} for (let ${j} = 0; ${j} < ${x}.length; ${j}++) { ${each} } }`;
      }
      default:
        return `${list}.set(${i}, ${toLibrary(element, value, this.#int64)});`;
    }
  }

  #map({ offset, type }: CapnpSlot): string {
    const { entry, key, value } = entryOf(type, this.#layout);
    const setKey =
      key.type.kind === "text"
        ? `Struct.setText(${key.offset}, k[i], e);`
        : `${setData(key.type, key, keyToLibrary(key.type, "k[i]"), "e")};`;
    return `if ((k = Object.keys(x)).length > 0) {
    ${this.#refuseFrom("d + 1")}const l = Struct.initList(${offset}, W${entry}List, k.length, s);
    for (let i = 0; i < k.length; i++) { const e = l.get(i); ${setKey} ${this.#set(value, "x[k[i]]", "e", "d + 2")} }
  }`;
  }
}

/** Whether a struct has no content for a pointer to lead to. The library then may leave the pointer null. */
export function isEmpty(struct: CapnpStruct | undefined): boolean {
  return struct?.dataWords === 0 && struct.pointers === 0;
}
