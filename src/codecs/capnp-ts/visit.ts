import { elementLoop, type NarrowedVisit } from "../../schema/generate/narrowed.ts";
import type {
  CapnpElement,
  CapnpLayout,
  CapnpMember,
  CapnpSlot,
  CapnpStruct,
  CapnpType,
} from "../../schema/layout/capnp.ts";
import { type DataType, isLong, listClass } from "./calls.ts";
import { entryOf } from "./entry.ts";
import { isData, SectionReads } from "./sections.ts";

/**
 * The source of functions `visit0(s)` and so on that add up the leaves of the struct `s` as `compileVisitor`
 * does, without making a value of it, and of those that visit a part. Of a text they read the length and the first
 * byte, where it lies.
 * @param older whether sections may be shorter than the layout says
 */
export function visitFunctions(
  layout: CapnpLayout,
  older: boolean,
  narrowed: readonly NarrowedVisit[] = [],
): string {
  const code = new VisitCode(layout, new SectionReads(older));
  const functions = layout.structs.map((struct, index) => code.struct(`visit${index}`, struct, EVERYTHING));
  let struct = layout.structs[0];
  const parts = narrowed.map(({ name, fields, ...part }) => {
    const members = struct?.members.filter(({ field }) => fields.has(field.name)) ?? [];
    struct = layout.structs[structOf(members[0]?.slot.type) ?? -1];
    return code.struct(name, { members }, part);
  });
  return [...functions, ...parts].join("\n");
}

/** The struct that a field holds, or a list of them: its place in the layout. */
export function structOf(type: CapnpType | undefined): number | undefined {
  const one = type?.kind === "list" ? type.element : type;
  return one?.kind === "struct" ? one.struct : undefined;
}

/** What a function visits: see {@link NarrowedVisit}. */
type Part = Pick<NarrowedVisit, "nested" | "records">;

const EVERYTHING: Part = { nested: undefined, records: undefined };

class VisitCode {
  readonly #layout: CapnpLayout;
  readonly #reads: SectionReads;

  constructor(layout: CapnpLayout, reads: SectionReads) {
    this.#layout = layout;
    this.#reads = reads;
  }

  struct(name: string, { members }: Pick<CapnpStruct, "members">, part: Part): string {
    const lines = members.map((member) => `  ${this.#member(member, part)}\n`);
    return `function ${name}(s) {
  ${this.#reads.size}let h = 0;
${lines.join("")}  return h;
}`;
  }

  #member({ field, slot, flag }: CapnpMember, part: Part): string {
    const { type } = slot;
    if (type.kind === "list") return this.#list(field.repetition.kind === "map", slot, type.element, part);
    const add = this.#add(slot, part);
    if (flag !== undefined && isData(flag.type))
      return `if (${this.#reads.data(flag, flag.type)}) { ${add} }`;
    // A null pointer to text or data adds what an empty one does: nothing.
    return type.kind === "struct" ? `if (${this.#reads.isPresent(slot)}) { ${add} }` : add;
  }

  /** The statement that adds a field of the struct `s`. */
  #add(slot: CapnpSlot, { nested }: Part): string {
    const { type, offset } = slot;
    switch (type.kind) {
      case "text":
      case "data": {
        const blob = `Data.fromPointer(Struct.getPointer(${offset}, s))`;
        return sum(this.#reads.pointer(slot, `${type.kind}Sum(${blob})`, "0"));
      }
      case "struct":
        return sum(`${nested ?? `visit${type.struct}`}(Struct.getStruct(${offset}, R${type.struct}, s))`);
      case "list":
        throw new Error("a list is visited element by element");
      default:
        return addData(type, this.#reads.data(slot, type));
    }
  }

  #list(map: boolean, slot: CapnpSlot, element: CapnpElement, { nested, records }: Part): string {
    // A list of Text gives strings; as a list of Data the same pointers give their bytes.
    const list = element.kind === "text" ? "DataList" : listClass(element, "R");
    return `if (${this.#reads.isPresent(slot)}) {
    const l = Struct.getList(${slot.offset}, ${list}, s), n = l.getLength();
    ${sum("n")}
    ${elementLoop("n", records)} { ${map ? this.#entry(slot) : addElement(element, nested)} }
  }`;
  }

  #entry(slot: CapnpSlot): string {
    const { key, value } = entryOf(slot.type, this.#layout);
    return `const s = l.get(i); ${this.#reads.size}${this.#add(key, EVERYTHING)} ${this.#add(value, EVERYTHING)}`;
  }
}

function addElement(element: CapnpElement, nested: string | undefined): string {
  switch (element.kind) {
    case "struct":
      return sum(`${nested ?? `visit${element.struct}`}(l.get(i))`);
    case "text":
    case "data":
      return sum(`${element.kind}Sum(l.get(i))`);
    default:
      return addData(element, "l.get(i)");
  }
}

function addData(type: DataType, read: string): string {
  if (type.bits === 1) return sum(`(${read} ? 1 : 0)`);
  if (type.kind === "primitive" && type.name.startsWith("Float")) return sum(`((${read} * 256) | 0)`);
  return isLong(type) ? sum(`Number(BigInt.asIntN(32, ${read}))`) : sum(read);
}

function sum(value: string): string {
  return `h = (h + ${value}) | 0;`;
}
