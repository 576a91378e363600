import type { Dataset } from "../../model/dataset.ts";
import type { ByteUses } from "../../model/records/byte-uses.ts";
import { type Anatomy, BYTES, type Held, QUOTED, TEXT } from "../../model/region-table.ts";
import { regionReader } from "./index.ts";

/** Bytes of a message above which its regions would take too much memory beside what is measured. */
const MOST_BYTES = 1 << 20;

/** What the bytes of a message are for; undefined where they cannot be taken apart, or are too many. */
export function usesOf(
  bytes: Uint8Array,
  codec: { readonly name: string; readonly format: string },
  dataset: Dataset,
): ByteUses | undefined {
  const read = regionReader(codec);
  if (typeof read === "string" || bytes.length > MOST_BYTES) return undefined;
  const anatomy = anatomyOf(() => read(bytes, dataset));
  if (anatomy === undefined || anatomy.problem !== undefined) return undefined;
  const uses = { text: 0, numbers: 0, blobs: 0, keys: 0, structure: 0, padding: 0 };
  const { regions } = anatomy;
  for (let i = 0; i < regions.length; i++) {
    const role = regions.roleAt(i);
    const length = regions.lengthAt(i);
    if (role === "unknown") return undefined;
    if (role === "payload") uses[kindOf(regions.heldAt(i))] += length;
    else uses[role === "key" ? "keys" : role === "padding" ? "padding" : "structure"] += length;
  }
  return uses;
}

/** A plugin's codec may write its format in a way of its own, or for schemas that ours does not carry. */
function anatomyOf(read: () => Anatomy): Anatomy | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

function kindOf(held: Held | undefined): "text" | "blobs" | "numbers" {
  if (typeof held === "string" || held === TEXT || held === QUOTED) return "text";
  return held === BYTES || held instanceof Uint8Array ? "blobs" : "numbers";
}
