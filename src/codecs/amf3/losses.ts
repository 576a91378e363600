import { UnsupportedError } from "../../model/errors.ts";
import { childPath, isRecord, type Value } from "../../model/value.ts";

/** Throws UnsupportedError, with the path, for a value with a key that AMF3 cannot carry: the empty one. */
export function refuseLosses(value: Value, path = ""): void {
  if (Array.isArray(value)) {
    value.forEach((item, i) => {
      refuseLosses(item, childPath(path, i));
    });
  } else if (isRecord(value)) {
    for (const [key, item] of Object.entries(value)) {
      const at = childPath(path, key);
      if (key === "") throw new UnsupportedError(`${at}: an empty name ends an object in AMF3`);
      refuseLosses(item, at);
    }
  }
}
