import type { Region, SchemaPath } from "../../model/region.ts";
import type { Value } from "../../model/value.ts";
import { oneLine } from "../escape.ts";

/** A value as JSON has it, so that nothing of it is lost: integers of 64 bits, NaN and bytes (in hex) as text. */
export function jsonValue(value: Value): string | number | boolean | null {
  if (typeof value === "bigint") return String(value);
  if (typeof value === "number")
    return Number.isFinite(value) && !Object.is(value, -0) ? value : numberText(value);
  if (value instanceof Uint8Array)
    return Buffer.from(value.buffer, value.byteOffset, value.length).toString("hex");
  return value as string | boolean | null;
}

/** What a region holds, for people: text of the message in quotes, what wirebench says of it without. */
export function regionText(region: Region, most = Number.POSITIVE_INFINITY): string {
  const { value, leaf, role, target, bits, place } = region;
  if (bits !== undefined) return cut(oneLine(bitsText(region)), most);
  const text =
    value === undefined
      ? ""
      : role === "key"
        ? leafText(value, most)
        : leaf === true
          ? leafText(value, most, place.schemaPath)
          : String(value);
  const arrow = target === undefined ? "" : ` → ${offsetText(target)}`;
  return cut(oneLine(text), most) + arrow;
}

/** `has open=1 open=0`: each bit with the last step to its place. */
function bitsText({ bits = [] }: Region): string {
  return bits
    .toSorted((a, b) => a.bit - b.bit)
    .map(({ place, value, leaf }) => `${leaf ? "" : "has "}${place.step}=${value ? 1 : 0}`)
    .join(" ");
}

/** A value of a message, for people: of an enum the number and its name. */
export function leafText(value: Value, most = Number.POSITIVE_INFINITY, path?: SchemaPath): string {
  if (typeof value === "string") return JSON.stringify(cut(value, most));
  const symbol = symbolOf(value, path);
  if (typeof value === "number")
    return symbol === undefined ? numberText(value) : `${numberText(value)} ${symbol}`;
  if (value instanceof Uint8Array)
    return value.length === 0 ? "no bytes" : hexText(value, Math.min(most / 3, 16));
  return String(value);
}

/** The name of an enum's number; undefined for other values. */
export function symbolOf(value: Value | undefined, path: SchemaPath | undefined): string | undefined {
  return typeof value === "number" ? path?.symbols?.get(value) : undefined;
}

/** `0x0012`; a negative one is outside the message. */
export function offsetText(offset: number): string {
  return `${offset < 0 ? "-" : ""}0x${Math.abs(offset).toString(16).padStart(4, "0")}`;
}

/** `0a 19 0a`, and how it goes on where there are more bytes. */
export function hexText(bytes: Uint8Array, most: number): string {
  const shown = Array.from(bytes.subarray(0, most), (byte) => byte.toString(16).padStart(2, "0")).join(" ");
  return bytes.length > most ? `${shown} …` : shown;
}

function numberText(value: number): string {
  return Object.is(value, -0) ? "-0" : String(value);
}

function cut(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, most)}…` : text;
}
