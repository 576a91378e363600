/** Two messages of one schema, place by place. */
import { defined } from "../../model/defined.ts";
import type { Inspected } from "../../model/region-table.ts";
import type { Value } from "../../model/value.ts";
import { oneLine } from "../escape.ts";
import { left, right, tableOf, textTable } from "../table.ts";
import { counted, formatBytes } from "../units.ts";
import { damageWord } from "./rows.ts";
import { comparedTables } from "./totals.ts";
import { jsonValue, leafText } from "./values.ts";

/** A message and the name of its file. */
export type ComparedFile = Inspected & { readonly file: string };

/** What a message has at a path. */
interface Held {
  /** The value, where one is there. */
  value?: Value;
  bytes: number;
}

/** A path at which two messages differ. */
export interface Difference {
  readonly path: string;
  readonly before: Held | undefined;
  readonly after: Held | undefined;
}

const MOST_ROWS = 200;
const MOST_VALUE = 32;

/** The paths at which values or the bytes for them differ, in the order of the first message, then of the second. */
export function differencesOf(before: Inspected, after: Inspected): Difference[] {
  const [a, b] = [heldOf(before), heldOf(after)];
  return [...new Set([...a.keys(), ...b.keys()])].flatMap((path) => {
    const [one, other] = [a.get(path), b.get(path)];
    return isSame(one, other) ? [] : [{ path, before: one, after: other }];
  });
}

/** Both messages as text: where they differ, and where the bytes of each go. */
export function differenceText(
  before: ComparedFile,
  after: ComparedFile,
  all = false,
  width?: number,
): string {
  const found = differencesOf(before, after);
  const shown = all ? found : found.slice(0, MOST_ROWS);
  const table = tableOf(shown, [
    left<Difference>("place", ({ path }) => oneLine(path) || "(message)"),
    left<Difference>(before.file, (one) => valueText(one.before)),
    left<Difference>(after.file, (one) => valueText(one.after)),
    right<Difference>("bytes of the first", (one) => formatBytes(one.before?.bytes ?? 0)),
    right<Difference>("of the second", (one) => formatBytes(one.after?.bytes ?? 0)),
  ]);
  const damages = [before, after].flatMap(({ file, damage }) =>
    damage === undefined ? [] : [`${oneLine(file)} is ${damageWord(damage)}: ${oneLine(damage.reason)}\n`],
  );
  const more = found.length > shown.length ? `… ${formatBytes(found.length - shown.length)} more\n` : "";
  const differing =
    found.length === 0
      ? "no place differs\n"
      : `${counted(found.length, "place")} that differ\n\n${textTable(table, width)}\n${more}`;
  const [byRole] = comparedTables([before, after].map((one) => ({ ...one, codec: oneLine(one.file) })));
  return `${damages.join("")}${differing}${byRole === undefined ? "" : `\n${textTable(byRole, width)}\n`}`;
}

/** The same as JSON: `before` and `after` are absent where nothing is at the path, `value` where that is no single value. */
export function differenceJson(before: ComparedFile, after: ComparedFile): string {
  const said = (held: Held | undefined): object => {
    if (held === undefined) return {};
    return { bytes: held.bytes, ...(held.value === undefined ? {} : { value: jsonValue(held.value) }) };
  };
  const side = ({ file, bytes, damage }: ComparedFile): object => ({
    file,
    bytes: bytes.length,
    ...defined({ damage }),
  });
  const differences = differencesOf(before, after).map((one) => ({
    path: one.path,
    ...(one.before === undefined ? {} : { before: said(one.before) }),
    ...(one.after === undefined ? {} : { after: said(one.after) }),
  }));
  return `${JSON.stringify({ messages: [before, after].map(side), differences }, null, 2)}\n`;
}

/** By path, what is there. */
function heldOf({ regions, defaults }: Inspected): Map<string, Held> {
  const held = new Map<string, Held>();
  const at = (path: string): Held => {
    const known = held.get(path) ?? { bytes: 0 };
    held.set(path, known);
    return known;
  };
  for (const { place, length, leaf, value, bits } of regions) {
    const one = at(place.path);
    one.bytes += length;
    if (leaf === true && value !== undefined) one.value = value;
    for (const bit of bits ?? []) if (bit.leaf) at(bit.place.path).value = bit.value;
  }
  for (const { place, value } of defaults) at(place.path).value = value;
  return held;
}

function isSame(a: Held | undefined, b: Held | undefined): boolean {
  if (a === undefined || b === undefined) return false;
  return a.bytes === b.bytes && sameValue(a.value, b.value);
}

function sameValue(a: Value | undefined, b: Value | undefined): boolean {
  if (a instanceof Uint8Array && b instanceof Uint8Array) return Buffer.compare(a, b) === 0;
  return Object.is(a, b);
}

function valueText(held: Held | undefined): string {
  if (held === undefined) return "absent";
  return held.value === undefined ? "" : oneLine(leafText(held.value, MOST_VALUE));
}
