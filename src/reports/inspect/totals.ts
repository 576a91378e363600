import { REGION_ROLES, type RegionRole, type SchemaPath } from "../../model/region.ts";
import type { Inspected, InspectedCodec } from "../../model/region-table.ts";
import { formatShare } from "../../model/share.ts";
import { left, right, type Table, tableOf } from "../table.ts";
import { formatBytes } from "../units.ts";

/** Bytes of a message by what they are for, and by the part of the schema that they belong to. Each sums up to the message. */
export interface Totals {
  readonly roles: ReadonlyMap<RegionRole, number>;
  readonly fields: ReadonlyMap<string, number>;
}

/** The name of the message itself among its fields. */
export const WHOLE = "(message)";

/** Adds the regions of a message up. */
export function totalsOf({ regions }: Pick<Inspected, "regions">): Totals {
  const roles = new Map<RegionRole, number>();
  const paths = new Map<SchemaPath, number>();
  // Several regions in a row are of one field, as its tag, its length and its text are.
  let path: SchemaPath | undefined;
  let ofPath = 0;
  for (let i = 0; i < regions.length; i++) {
    const length = regions.lengthAt(i);
    const role = regions.roleAt(i);
    roles.set(role, (roles.get(role) ?? 0) + length);
    const { schemaPath } = regions.placeAt(i);
    if (schemaPath !== path) {
      if (path !== undefined) paths.set(path, (paths.get(path) ?? 0) + ofPath);
      path = schemaPath;
      ofPath = 0;
    }
    ofPath += length;
  }
  if (path !== undefined) paths.set(path, (paths.get(path) ?? 0) + ofPath);
  const known = REGION_ROLES.filter((role) => roles.has(role));
  const fields = Array.from(paths, ([path, bytes]) => [path.text || WHOLE, bytes] as const);
  return { roles: new Map(known.map((role) => [role, roles.get(role)!])), fields: new Map(fields) };
}

/** The tables of one message: by role, and by field. */
export function totalTables(message: Inspected): Table[] {
  const { roles, fields } = totalsOf(message);
  const of = (name: string, entries: Iterable<readonly [string, number]>): Table =>
    tableOf(
      [...entries],
      [
        left(name, ([what]) => what),
        right("bytes", ([, bytes]) => formatBytes(bytes)),
        right("share", ([, bytes]) => formatShare(bytes / message.bytes.length)),
      ],
    );
  const tables = [
    of("role", roles),
    of(
      "field",
      [...fields].sort(([, a], [, b]) => b - a),
    ),
  ];
  return tables.filter(({ rows }) => rows.length > 0);
}

/** Codecs beside each other: a row for each with its roles, and a column for each with its fields. */
export function comparedTables(codecs: readonly InspectedCodec[]): Table[] {
  const read = codecs.filter((one) => "regions" in one).map((one) => ({ ...one, ...totalsOf(one) }));
  const known = REGION_ROLES.filter((role) => read.some(({ roles }) => roles.has(role)));
  const bytesOf = (bytes: number | undefined): string => (bytes === undefined ? "" : formatBytes(bytes));
  const byRole = tableOf(read, [
    left("codec", ({ codec }) => codec),
    right("bytes", ({ bytes }) => formatBytes(bytes.length)),
    ...known.map((role) => right<(typeof read)[number]>(role, ({ roles }) => bytesOf(roles.get(role)))),
  ]);
  const fields = [...new Set(read.flatMap((one) => [...one.fields.keys()]))].sort();
  const byField = tableOf(fields, [
    left("field", (field) => field),
    ...read.map((one) => ({
      ...right<string>(one.codec, (field) => bytesOf(one.fields.get(field))),
      starts: true,
    })),
  ]);
  return read.length === 0 ? [] : [byRole, byField];
}
