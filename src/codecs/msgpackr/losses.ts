import { UnsupportedError } from "../../model/errors.ts";
import { childPath, type Value } from "../../model/value.ts";

/** What msgpackr, used in one way, would silently change. It always writes -0 as the integer 0. */
export interface Losses {
  /** A map's key `__proto__`, which is read as `__proto_`. */
  readonly protoKeys: boolean;
  /** A byte order mark before long text, which the part of msgpackr that is written in JavaScript takes off. */
  readonly marks: boolean;
}

/** Throws UnsupportedError, with the path, for a value that msgpackr would change. */
export function refuseLosses(value: Value, losses: Losses, path = ""): void {
  const refuse = (problem: string): never => {
    throw new UnsupportedError(`${path === "" ? "" : `${path}: `}${problem}`);
  };
  if (Object.is(value, -0)) refuse("msgpackr writes -0 as 0");
  if (typeof value === "string" && losses.marks && isMarked(value)) {
    refuse("msgpackr without its native part drops the byte order mark of long text");
  }
  if (typeof value !== "object" || value === null || value instanceof Uint8Array) return;
  if (losses.protoKeys && Object.hasOwn(value, "__proto__")) {
    throw new UnsupportedError(`${childPath(path, "__proto__")}: msgpackr reads this key as __proto_`);
  }
  for (const [key, item] of Object.entries(value)) {
    const at = childPath(path, Array.isArray(value) ? Number(key) : key);
    if (!Array.isArray(value)) refuseLosses(key, losses, at);
    refuseLosses(item, losses, at);
  }
}

/** Whether text is longer than 64 bytes and starts with a byte order mark (msgpackr 2.1.3, `readStringJS`). */
function isMarked(text: string): boolean {
  return text.charCodeAt(0) === 0xfeff && Buffer.byteLength(text) > 64;
}
