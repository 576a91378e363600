import type { Int64Mode } from "../../model/schema.ts";
import type { NumberPlace } from "../../model/selection.ts";
import { elementLoop, type NarrowedVisit } from "../generate/narrowed.ts";
import { addToSum, sumOf, type VisitedPart, type VisitFormat, visitFunctions } from "../generate/visit.ts";
import type {
  CapnpElement,
  CapnpLayout,
  CapnpList,
  CapnpMember,
  CapnpSlot,
  CapnpStruct,
  CapnpType,
} from "../layout/capnp.ts";
import {
  type DataType,
  entryOf,
  isData,
  isLong,
  listClass,
  SectionReads,
  setData,
  toLibrary,
} from "./calls.ts";

/**
 * The source of functions `visit0(s)` and so on that add up the leaves of the struct `s` without making a value of it,
 * and of those that visit a part. Of a text they read the length and the first byte, where it lies.
 * @param older whether sections may be shorter than the layout says
 */
export function structVisits(
  layout: CapnpLayout,
  older: boolean,
  narrowed: readonly NarrowedVisit[] = [],
): string {
  return visitFunctions(new StructVisits(layout, new SectionReads(older)), narrowed);
}

/** The struct that a field holds, or a list of them: its place in the layout. */
export function structOf(type: CapnpType | undefined): number | undefined {
  if (type?.kind === "list") return structOf(type.element);
  return type?.kind === "struct" || type?.kind === "group" ? type.struct : undefined;
}

const EVERYTHING: VisitedPart = { nested: undefined, records: undefined };

class StructVisits implements VisitFormat<CapnpStruct, CapnpMember> {
  readonly functions: ReadonlyMap<CapnpStruct, string>;
  readonly parameters = "s";
  readonly start: string;
  readonly #layout: CapnpLayout;
  readonly #reads: SectionReads;

  constructor(layout: CapnpLayout, reads: SectionReads) {
    this.functions = new Map(layout.structs.map((struct, index) => [struct, `visit${index}`]));
    this.start = `${reads.size}let h = 0;`;
    this.#layout = layout;
    this.#reads = reads;
  }

  fieldsOf({ members }: CapnpStruct): readonly CapnpMember[] {
    return members;
  }

  nameOf({ field }: CapnpMember): string {
    return field.name;
  }

  structOf({ slot }: CapnpMember): CapnpStruct | undefined {
    return this.#layout.structs[structOf(slot.type) ?? -1];
  }

  add(member: CapnpMember, part: VisitedPart): string {
    const { field, slot, flag, tag } = member;
    const { type } = slot;
    const isMap = field.repetition.kind === "map";
    const add =
      type.kind === "list" ? this.#list(isMap, slot, type.element, part) : this.#addSlot(slot, part);
    if (tag !== undefined) {
      const struct = this.#layout.structs.find(({ members }) => members.includes(member))!;
      const isThere = type.kind === "struct" ? ` && ${this.#reads.isPresent(slot)}` : "";
      return `if (${this.#reads.isMember(member, struct)}${isThere}) { ${add} }`;
    }
    if (type.kind === "list") return add;
    if (flag !== undefined && isData(flag.type))
      return `if (${this.#reads.data(flag, flag.type)}) { ${add} }`;
    // A null pointer to text or data adds what an empty one does: nothing.
    return type.kind === "struct" ? `if (${this.#reads.isPresent(slot)}) { ${add} }` : add;
  }

  /** The statement that adds what a slot of the struct `s` holds. */
  #addSlot(slot: CapnpSlot, { nested }: VisitedPart): string {
    const { type, offset } = slot;
    switch (type.kind) {
      case "text":
      case "data": {
        const blob = `Data.fromPointer(Struct.getPointer(${offset}, s))`;
        return addToSum(this.#reads.pointer(slot, `${type.kind}Sum(${blob})`, "0"));
      }
      case "struct":
        return addToSum(
          `${nested ?? `visit${type.struct}`}(Struct.getStruct(${offset}, R${type.struct}, s))`,
        );
      case "list":
        throw new Error("a list is visited element by element");
      case "group":
        return addToSum(`${nested ?? `visit${type.struct}`}(s)`);
      case "void":
        return "";
      default:
        return addData(type, this.#reads.data(slot, type));
    }
  }

  #list(
    map: boolean,
    slot: CapnpSlot,
    element: CapnpElement | CapnpList,
    { nested, records }: VisitedPart,
  ): string {
    const list = blobClass(element);
    return `if (${this.#reads.isPresent(slot)}) {
    const l = Struct.getList(${slot.offset}, ${list}, s), n = lengthOf(l);
    ${addToSum("n")}
    ${elementLoop("n", records)} { ${map ? this.#entry(slot) : addElement(element, nested)} }
  }`;
  }

  #entry(slot: CapnpSlot): string {
    const { key, value } = entryOf(slot.type, this.#layout);
    return `const s = l.get(i); ${this.#reads.size}${this.#addSlot(key, EVERYTHING)} ${this.#addSlot(value, EVERYTHING)}`;
  }
}

/** A list of Text gives strings; as a list of Data the same pointers give their bytes. */
function blobClass(element: CapnpElement | CapnpList): string {
  if (element.kind === "list") return `PointerList(${blobClass(element.element)})`;
  return element.kind === "text" ? "DataList" : listClass(element, "R");
}

function addElement(element: CapnpElement | CapnpList, nested: string | undefined): string {
  switch (element.kind) {
    case "list": {
      const each = addElement(element.element, nested);
      return `{ const m = l.get(i); if (!isNull(m)) { const l = m, n = lengthOf(l); ${addToSum("n")} for (let i = 0; i < n; i++) { ${each} } } }`;
    }
    case "struct":
      return addToSum(`${nested ?? `visit${element.struct}`}(l.get(i))`);
    case "text":
    case "data":
      return addToSum(`${element.kind}Sum(l.get(i))`);
    default:
      return addData(element, "l.get(i)");
  }
}

function addData(type: DataType, read: string): string {
  if (type.bits === 1) return addToSum(sumOf.bool(read));
  if (type.kind === "primitive" && type.name.startsWith("Float")) return addToSum(sumOf.float(read));
  return isLong(type) ? addToSum(sumOf.bigint(read)) : addToSum(read);
}

/**
 * The source of a function `overwrite(s0, value)` that sets one number below the root struct `s0`, through the
 * library's setter, which changes the segment that the struct lies in. A message without the field, also one whose
 * writer had a shorter schema, ends in `absent()`, which is needed in scope.
 * @param visits those that lead to the place
 */
export function overwriteFunction(
  layout: CapnpLayout,
  visits: readonly NarrowedVisit[],
  { record }: NumberPlace,
  int64: Int64Mode,
): string {
  const reads = new SectionReads(true);
  let struct = layout.structs[0];
  const lines = visits.map(({ fields }, depth) => {
    const member = struct?.members.find(({ field }) => fields.has(field.name));
    if (member === undefined) throw new Error("a place is a field of the layout");
    const { slot, flag, tag } = member;
    const { type, offset } = slot;
    const within = struct;
    const checkMember = (at: number): string => {
      if (tag === undefined || within === undefined) return "";
      return ` { const s = s${at}; ${reads.size}if (!(${reads.isMember(member, within)})) absent(); }`;
    };
    const next = `s${depth + 1}`;
    const nested = structOf(type);
    struct = layout.structs[nested ?? -1];
    const open = `  { const s = s${depth}; ${reads.size}`;
    if (nested !== undefined) {
      if (type.kind === "group") return `  const ${next} = s${depth};${checkMember(depth)}`;
      const [get, element] =
        type.kind === "list"
          ? [`Struct.getList(${offset}, R${nested}List, s)`, ` if (lengthOf(l) <= ${record}) absent();`]
          : [`Struct.getStruct(${offset}, R${nested}, s)`, ""];
      const found =
        type.kind === "list"
          ? `const l = ${get};${element} ${next} = l.get(${record});`
          : `${next} = ${get};`;
      return `  let ${next};${checkMember(depth)}\n${open}if (!${reads.isPresent(slot)}) absent(); ${found} }`;
    }
    if (!isData(type)) throw new Error("a number is in the data section");
    const isThere = flag !== undefined && isData(flag.type) ? ` || !${reads.data(flag, flag.type)}` : "";
    const end = Math.ceil((offset + type.bits) / 8);
    const set = setData(type, slot, toLibrary(type, "value", int64), "s");
    return `${checkMember(depth)}${open}if (${end} > z.dataByteLength${isThere}) absent(); ${set}; }`;
  });
  return `function overwrite(s0, value) {\n${lines.join("\n")}\n}`;
}
