import type { Region, RegionRole, SchemaPath } from "../../model/region.ts";
import type { Inspected, InspectedCodec } from "../../model/region-table.ts";
import type { Value } from "../../model/value.ts";
import { oneLine } from "../escape.ts";
import { textTable } from "../table.ts";
import { counted, formatBytes } from "../units.ts";
import { type DumpRow, damageWord, dumpRows } from "./rows.ts";
import { comparedTables, totalTables } from "./totals.ts";
import { hexText, leafText, offsetText, regionText } from "./values.ts";

/** How a dump is printed. */
export interface DumpOptions {
  /** Shows every element of every list. */
  readonly all?: boolean;
  /** Leaves out the dump, and keeps the sums. */
  readonly totals?: boolean;
  readonly colours?: boolean;
  /** Columns of the terminal. */
  readonly width?: number | undefined;
}

const HEX_BYTES = 8;
const MOST_VALUE = 40;

/** Where the terminal is narrow. */
const FEW_BYTES = 4;
const LEAST_VALUE = 16;

/** Spaces between columns. */
const GAP = "  ";
const MOST_DEFAULTS = 20;

/** ANSI colours by role; what has none is as it is. */
const COLOURS: Partial<Record<RegionRole, number>> = {
  payload: 32,
  key: 36,
  tag: 33,
  length: 35,
  offset: 34,
  vtable: 94,
  padding: 90,
  terminator: 90,
  unknown: 31,
};

/** A message as lines of five columns, and where its bytes go. */
export function* dumpText(message: Inspected, options: DumpOptions = {}): Generator<string> {
  const { codec, library, version, dataset, bytes, damage } = message;
  const by = library === undefined ? "" : ` (${library} ${version})`;
  yield `${oneLine(dataset)} in ${codec}${by}: ${counted(bytes.length, "byte")}\n`;
  if (damage !== undefined) yield `${damageWord(damage)}: ${oneLine(damage.reason)}\n`;
  if (options.totals !== true) {
    const rows = dumpRows(message, options.all);
    const layout = layoutOf(rows, bytes.length, options.width);
    for (const row of rows) yield line(row, bytes, layout, options);
    yield* defaultLines(message, options.all === true);
  }
  for (const table of totalTables(message)) yield `\n${textTable(table, options.width)}\n`;
}

/** Where the bytes of one value go in several codecs. */
export function comparedText(codecs: readonly InspectedCodec[], width?: number): string {
  const tables = comparedTables(codecs).map((table) => `${textTable(table, width)}\n`);
  const refused = codecs.flatMap((one) =>
    "reason" in one ? [`${one.codec}: ${oneLine(one.reason)}\n`] : [],
  );
  return [...tables, ...(refused.length > 0 ? [refused.join("")] : [])].join("\n");
}

/** How wide the columns of a dump are. */
interface Layout {
  readonly offset: number;
  /** Bytes in hex. */
  readonly bytes: number;
  readonly type: number;
  readonly value: number;
  /** Characters of a value that are shown. */
  readonly most: number;
}

/** @param width of the terminal: where lines are longer, fewer bytes and shorter values are shown */
function layoutOf(
  rows: readonly DumpRow[],
  length: number,
  width = Number.POSITIVE_INFINITY,
  bytes = HEX_BYTES,
  most = MOST_VALUE,
): Layout {
  const offset = offsetText(length).length;
  let type = 0;
  let value = 0;
  let last = 0;
  for (const row of rows) {
    if (row.kind !== "region") continue;
    type = Math.max(type, row.region.type.length);
    value = Math.max(value, regionText(row.region, most).length);
    last = Math.max(last, meaning(row.region).length);
  }
  const layout = { offset, bytes, type, value, most };
  const room = width - typeStart(layout) - type - 2 * GAP.length;
  if (bytes === FEW_BYTES || value + last <= room) return layout;
  const narrow = width - typeStart({ offset, bytes: FEW_BYTES }) - type - GAP.length;
  return layoutOf(rows, length, width, FEW_BYTES, Math.min(most, Math.max(LEAST_VALUE, narrow)));
}

/** The column in which types begin. */
function typeStart({ offset, bytes }: Pick<Layout, "offset" | "bytes">): number {
  return 3 * GAP.length + offset + hexWidth(bytes);
}

function hexWidth(bytes: number): number {
  return 3 * bytes + 1;
}

function line(
  row: DumpRow,
  bytes: Uint8Array,
  layout: Layout,
  { colours = false, width = Number.POSITIVE_INFINITY }: DumpOptions,
): string {
  if (row.kind === "section") return `\n${oneLine(row.path) || "(message)"}\n`;
  const at = (place: number): string => `0x${place.toString(16).padStart(layout.offset - 2, "0")}`;
  if (row.kind === "elided")
    return `  ${at(row.offset)}  … ${formatBytes(row.count)} more of ${oneLine(row.field)}, ${counted(row.bytes, "byte")}\n`;
  const { region } = row;
  const before = [
    GAP + at(region.offset),
    hexText(bytes.subarray(region.offset, region.offset + region.length), layout.bytes).padEnd(
      hexWidth(layout.bytes),
    ),
    region.type.padEnd(layout.type),
    regionText(region, layout.most),
  ].join(GAP);
  const what = meaning(region);
  const room = width - GAP.length - what.length;
  const start = typeStart(layout);
  const end = start + layout.type + GAP.length + layout.value;
  // What there is no room for stands below, where types begin.
  const text =
    before.length <= room
      ? `${before.padEnd(Math.min(end, room))}${GAP}${what}`.trimEnd()
      : `${before.trimEnd()}\n${" ".repeat(start)}${what}`;
  const colour = colours ? COLOURS[region.role] : undefined;
  const mark = region.problem === undefined ? "" : `  ^^ ${oneLine(region.problem)}\n`;
  return `${colour === undefined ? text : `\u001b[${colour}m${text}\u001b[39m`}\n${mark}`;
}

/** What a region is in the schema. */
function meaning({ place, role, leaf }: Region): string {
  const path = oneLine(place.path);
  const isPlain = leaf === true && role === "payload";
  if (path === "") return isPlain ? "" : role;
  return isPlain ? path : `${path} (${role})`;
}

function defaultText(path: string, value: Value, field: SchemaPath): string {
  return `${oneLine(path)} = ${leafText(value, MOST_VALUE, field)}`;
}

/** Values that are not written, counted by field: a field has one default. */
function* defaultLines({ defaults }: Inspected, all: boolean): Generator<string> {
  const counts = new Map<string, number>();
  const perPath = new Map<SchemaPath, { value: Value; count: number }>();
  for (const { place, value } of defaults) {
    const known = all ? undefined : perPath.get(place.schemaPath);
    if (all) counts.set(defaultText(place.path, value, place.schemaPath), 1);
    else if (known === undefined) perPath.set(place.schemaPath, { value, count: 1 });
    else known.count++;
  }
  for (const [path, { value, count }] of perPath) counts.set(defaultText(path.text, value, path), count);
  if (counts.size > 0) yield "\nnot written, as they are the default\n";
  let left = all ? counts.size : MOST_DEFAULTS;
  for (const [name, count] of counts) {
    if (left-- <= 0) break;
    yield `  ${name}${count === 1 ? "" : `, ${formatBytes(count)} times`}\n`;
  }
  if (!all && counts.size > MOST_DEFAULTS) yield `  … ${formatBytes(counts.size - MOST_DEFAULTS)} more\n`;
}
