import type { Value } from "../../model/value.ts";

/**
 * A value as JSON text. What JSON lacks follows the proto3 JSON mapping: integers beyond 2^53 are decimal
 * strings, bytes are base64, NaN and the infinities are strings. So is -0, whose sign JSON.stringify drops.
 */
export function jsonText(value: Value, indent?: number): string {
  return JSON.stringify(jsonReady(value), null, indent);
}

function jsonReady(value: Value): unknown {
  if (typeof value === "bigint") {
    const number = Number(value);
    return Number.isSafeInteger(number) ? number : String(value);
  }
  if (typeof value === "number") return jsonNumber(value);
  if (typeof value !== "object" || value === null) return value;
  if (value instanceof Uint8Array) return base64(value);
  if (Array.isArray(value)) return value.map(jsonReady);
  // fromEntries defines fields, so that a key `__proto__` stays a key.
  return Object.fromEntries(Object.entries(value).map(([key, field]) => [key, jsonReady(field)]));
}

/** A number, or the string that stands for one that JSON cannot write. */
export function jsonNumber(value: number): number | string {
  if (Object.is(value, -0)) return "-0";
  return Number.isFinite(value) ? value : String(value);
}

/** Bytes in standard base64 with padding. */
export function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("base64");
}
