import type { CapnpElement, CapnpLayout, CapnpSlot, CapnpType } from "../../schema/layout/capnp.ts";

/** The struct that a map's entries are, and its two fields. */
export interface MapEntry {
  readonly entry: number;
  readonly key: CapnpSlot & { readonly type: Exclude<CapnpElement, { readonly kind: "data" | "struct" }> };
  readonly value: CapnpSlot;
}

/** The entries of a field that carries a map. */
export function entryOf(type: CapnpType, { structs }: CapnpLayout): MapEntry {
  const entry = type.kind === "list" && type.element.kind === "struct" ? type.element.struct : -1;
  const [key, value] = structs[entry]?.members ?? [];
  if (key === undefined || value === undefined) throw new Error("a map is a list of entries");
  return { entry, key: key.slot as MapEntry["key"], value: value.slot };
}
