import { fieldOf } from "../../model/generated-code.ts";
import { hasPresence, type Int64Mode } from "../../model/schema.ts";
import type {
  CapnpElement,
  CapnpLayout,
  CapnpMember,
  CapnpSlot,
  CapnpStruct,
} from "../../schema/layout/capnp.ts";
import { entryOf, keyToLibrary, listClass, setData, toLibrary } from "./calls.ts";

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

  struct({ members }: CapnpStruct, index: number): string {
    const check = this.#deep ? "  if (d > LIMIT) tooDeep();\n" : "";
    const lines = members.map(
      (member) => `  x = ${fieldOf("v", member.field.name)};\n  ${this.#member(member)}\n`,
    );
    return `function build${index}(v, s${this.#deep ? ", d" : ""}) {\n${check}  let x, k;\n${lines.join("")}}`;
  }

  #member({ field, slot, flag }: CapnpMember): string {
    if (field.repetition.kind === "map") return this.#map(slot);
    if (slot.type.kind === "list") return this.#list(slot, slot.type.element);
    const set = this.#set(slot, "x", "s", "d");
    if (!hasPresence(field)) return set;
    const raise = flag === undefined ? "" : ` Struct.setBit(${flag.offset}, true, s);`;
    return `if (x !== undefined) { ${set}${raise} }`;
  }

  /** The statement that sets a field of the struct `s`, itself at nesting `depth`. */
  #set({ type, offset }: CapnpSlot, value: string, s: string, depth: string): string {
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
      default:
        return `${setData(type, offset, toLibrary(type, value, this.#int64), s)};`;
    }
  }

  #fill(struct: number, value: string, s: string, depth: string): string {
    return `build${struct}(${value}, ${s}${this.#deep ? `, ${depth}` : ""});`;
  }

  /** What is nested in a struct at this depth is nested too deep. */
  #refuseFrom(depth: string): string {
    return this.#deep ? `if (${depth} >= LIMIT) tooDeep(); ` : "";
  }

  #list({ offset }: CapnpSlot, element: CapnpElement): string {
    return `if (x.length > 0) {
    ${this.#refuseFrom("d")}const l = Struct.initList(${offset}, ${listClass(element, "W")}, x.length, s);
    for (let i = 0; i < x.length; i++) { ${this.#element(element)} }
  }`;
  }

  #element(element: CapnpElement): string {
    switch (element.kind) {
      case "struct":
        return this.#fill(element.struct, "x[i]", "l.get(i)", "d + 2");
      case "data":
        return "setDataElement(l.get(i), x[i]);";
      case "text":
        return "l.set(i, x[i]);";
      default:
        return `l.set(i, ${toLibrary(element, "x[i]", this.#int64)});`;
    }
  }

  #map({ offset, type }: CapnpSlot): string {
    const { entry, key, value } = entryOf(type, this.#layout);
    const setKey =
      key.type.kind === "text"
        ? `Struct.setText(${key.offset}, k[i], e);`
        : `${setData(key.type, key.offset, keyToLibrary(key.type, "k[i]"), "e")};`;
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
