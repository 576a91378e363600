import { type CMember, type CStruct, type CType, SCALAR_BYTES } from "./declarations.ts";

/** Largest struct that is laid out, in bytes: 64 MiB. */
export const MAX_STRUCT_BYTES = 64 * 2 ** 20;

/** Where the members of a struct are. All figures are bytes. */
export interface StructLayout {
  /** `sizeof`: a multiple of the alignment. A flexible array adds nothing but its alignment. */
  readonly size: number;
  readonly align: number;
  /** `offsetof` each member, in their order. */
  readonly offsets: readonly number[];
}

const layouts = new WeakMap<CStruct, StructLayout>();

/**
 * The layout that C compilers for x86-64 Linux give a struct (System V ABI, AMD64 supplement, 3.1.2): every
 * member at the next multiple of its alignment, and the size rounded up to the largest of them. The size may
 * be above {@link MAX_STRUCT_BYTES}, and even infinite.
 */
export function layoutOf(struct: CStruct): StructLayout {
  const known = layouts.get(struct);
  if (known !== undefined) return known;
  const layout = placeMembers(struct.members);
  layouts.set(struct, layout);
  return layout;
}

/** {@link layoutOf} for members that are not a struct yet. */
export function placeMembers(members: readonly CMember[]): StructLayout {
  const offsets: number[] = [];
  let end = 0;
  let align = 1;
  for (const member of members) {
    const own = alignOf(member.type);
    const offset = roundUp(end, own);
    offsets.push(offset);
    end = offset + (member.flexible ? 0 : sizeOf(member.type) * elementsOf(member));
    align = Math.max(align, own);
  }
  return { size: roundUp(end, align), align, offsets };
}

/** `sizeof` one element. */
export function sizeOf(type: CType): number {
  switch (type.kind) {
    case "scalar":
      return SCALAR_BYTES[type.scalar];
    case "enum":
      return type.bits / 8;
    case "struct":
      return layoutOf(type.struct).size;
  }
}

function alignOf(type: CType): number {
  return type.kind === "struct" ? layoutOf(type.struct).align : sizeOf(type);
}

/** Elements of a member in all its dimensions: 1 when it is no array; of each row when it is flexible. */
export function elementsOf(member: CMember): number {
  return member.dimensions.reduce((product, bound) => product * bound, 1);
}

/** The least multiple of `step` that is not below `value`. */
export function roundUp(value: number, step: number): number {
  return Math.ceil(value / step) * step;
}
