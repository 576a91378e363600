import { ValueError } from "../../model/errors.ts";
import { childPath, type RecordValue, type Value } from "../../model/value.ts";
import { MAX_DEPTH } from "../../schema/values/conform.ts";
import type { FieldLayout, Layouts } from "./layout.ts";
import type { Slot } from "./slot.ts";

/** The ValueError of the first text or bytes in a value that do not fit their slot, with its path. */
export function problemOf(
  layouts: Layouts,
  message: string,
  value: Value,
  path = "",
  depth = 1,
): ValueError | undefined {
  // A value that contains itself is refused for its depth.
  if (depth > MAX_DEPTH) return undefined;
  for (const layout of layouts.get(message)?.fields ?? []) {
    const { name } = layout.field;
    const given = Object.hasOwn(value as RecordValue, name) ? (value as RecordValue)[name] : undefined;
    if (given === undefined) continue;
    const found = fieldProblem(layouts, layout, given, { path: childPath(path, name), depth });
    if (found !== undefined) return found;
  }
  return undefined;
}

function fieldProblem(
  layouts: Layouts,
  { field, slot, keySlot }: FieldLayout,
  given: Value,
  { path, depth }: { readonly path: string; readonly depth: number },
): ValueError | undefined {
  const { type, repetition } = field;
  const one = (value: Value, at: string): ValueError | undefined =>
    type.kind === "message"
      ? problemOf(layouts, type.name, value, at, depth + 1)
      : slotProblem(slot, value, at);
  if (repetition.kind === "one") return one(given, path);
  const entries = Object.entries(given as RecordValue);
  for (const [key, item] of entries) {
    const at = childPath(path, repetition.kind === "list" ? Number(key) : key);
    const found = (keySlot && slotProblem(keySlot, key, at)) ?? one(item, at);
    if (found !== undefined) return found;
  }
  return undefined;
}

function slotProblem(slot: Slot | undefined, value: Value, path: string): ValueError | undefined {
  if (slot === undefined || slot.kind === "number") return undefined;
  const { kind, holds, bytes } = slot;
  if (holds === "string" && typeof value === "string" && !value.isWellFormed()) {
    return new ValueError(path, "a lone surrogate, which UTF-8 cannot hold");
  }
  const length = holds === "string" ? Buffer.byteLength(value as string) : (value as Uint8Array).length;
  const fits = kind === "fixed" ? length === bytes : length <= bytes;
  if (fits) return undefined;
  return new ValueError(path, `expected ${kind === "fixed" ? "" : "at most "}${bytes} bytes, got ${length}`);
}
