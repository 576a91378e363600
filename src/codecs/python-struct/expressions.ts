import { utf8Length } from "../../formats/bytes/utf8.ts";
import { DecodeError, ValueError } from "../../model/errors.ts";
import type { Slot } from "../../schema/layout/python-struct.ts";

/** Slots in generated code: what is packed for them, what is made of the values of a struct, and what both call. */

/** The arguments that a value `x` is packed as. */
export function packed(slot: Slot, x: string): string[] {
  if (slot.kind === "number") return [x];
  const { kind, holds, bytes } = slot;
  const size = holds === "string" ? `utf8Length(${x})` : `${x}.length`;
  if (kind === "fixed") return [`(${size} === ${bytes} ? ${x} : unfit())`];
  // Text that is too long is refused when it is packed; bytes would be cut.
  const checked = holds === "string" ? x : `(${size} <= ${bytes} ? ${x} : unfit())`;
  return kind === "short" ? [checked] : [size, checked];
}

/** The arguments of a value that is absent. */
export function absent(slot: Slot): string[] {
  if (slot.kind === "number") return [slot.character === "?" ? "false" : "0"];
  const empty = slot.holds === "string" ? '""' : "empty";
  return slot.kind === "long" ? ["0", empty] : [empty];
}

/** The value at a place of the list `r`, which starts at the byte `rAt`. */
export function unpacked(slot: Slot, r: string, place: number): string {
  if (slot.kind !== "long") return `${r}[${place}]`;
  const cut = slot.holds === "string" ? "cutText" : "cutBytes";
  return `${cut}(${r}[${place}], ${r}[${place + 1}], ${slot.bytes}, ${r}At)`;
}

/** What the expressions call. */
export const SCOPE = { utf8Length, empty: new Uint8Array(0), unfit, cutBytes, cutText };

/** `problemOf` finds which value it is. */
function unfit(): never {
  throw new ValueError("", "does not fit its struct");
}

function cutBytes(length: number, bytes: Uint8Array, room: number, offset: number): Uint8Array {
  if (length > room) fail(`expected bytes of at most ${room}, got ${length}`, offset);
  return bytes.subarray(0, length);
}

/** The zeros after the text are characters of it. */
function cutText(length: number, text: string, room: number, offset: number): string {
  const end = text.length - (room - length);
  if (length > room || end < 0) fail(`expected text of at most ${room} bytes, got ${length}`, offset);
  for (let i = end; i < text.length; i++) {
    if (text.charCodeAt(i) !== 0) fail(`expected zeros after ${length} bytes of text`, offset);
  }
  return text.slice(0, end);
}

function fail(problem: string, offset: number): never {
  throw new DecodeError("python-struct", problem, { offset });
}
