import { utf8Size } from "../../formats/bytes/portable.ts";
import { type Field, messageOf, type Schema } from "../../model/schema.ts";
import { pathText, type RecordValue, type Value } from "../../model/value.ts";

/** Bytes of the shortest and of the longest of some texts, in UTF-8 and without a NUL, or of some bytes. */
export interface Extent {
  readonly least: number;
  readonly most: number;
}

/** What a field takes, over all messages that have it. */
export interface FieldExtents {
  /** Elements of the longest list, entries of the largest map. */
  count: number;
  /** Its texts or bytes, each of a list and map; undefined without any. */
  value?: Extent;
  /** The keys of a map, where they are text. */
  key?: Extent;
}

/**
 * Measures what formats without lengths have to bound: texts, bytes, lists and maps.
 * @param check is called with every text, and with what gives its path
 */
export function measureExtents(
  schema: Schema,
  values: readonly Value[],
  check: (text: string, path: () => string) => void = () => {},
): ReadonlyMap<Field, FieldExtents> {
  const found = new Map<Field, FieldExtents>();
  const steps: (string | number)[] = [];
  const path = (): string => pathText(steps);

  const meetMessage = (name: string, value: RecordValue): void => {
    for (const field of messageOf(schema, name).fields) {
      if (!Object.hasOwn(value, field.name)) continue;
      const extents = found.get(field) ?? { count: 0 };
      found.set(field, extents);
      steps.push(field.name);
      meetField(field, extents, value[field.name]!);
      steps.pop();
    }
  };

  const meetField = (field: Field, extents: FieldExtents, given: Value): void => {
    const { repetition } = field;
    if (repetition.kind === "one") {
      meetOne(field, extents, given);
      return;
    }
    if (repetition.kind === "list") {
      const items = given as readonly Value[];
      extents.count = Math.max(extents.count, items.length);
      for (let i = 0; i < items.length; i++) meetItem(field, extents, i, items[i]!);
      return;
    }
    const entries = Object.entries(given as RecordValue);
    extents.count = Math.max(extents.count, entries.length);
    for (const [key, item] of entries) meetItem(field, extents, key, item);
  };

  const meetItem = (field: Field, extents: FieldExtents, step: string | number, item: Value): void => {
    steps.push(step);
    if (field.repetition.kind === "map" && field.repetition.key === "string")
      extents.key = extended(extents.key, bytesOfText(step as string));
    meetOne(field, extents, item);
    steps.pop();
  };

  const meetOne = ({ type }: Field, extents: FieldExtents, value: Value): void => {
    if (type.kind === "message") meetMessage(type.name, value as RecordValue);
    else if (typeof value === "string") extents.value = extended(extents.value, bytesOfText(value));
    else if (value instanceof Uint8Array) extents.value = extended(extents.value, value.length);
  };

  const bytesOfText = (text: string): number => {
    check(text, path);
    return utf8Size(text);
  };

  for (const value of values) meetMessage(schema.root, value as RecordValue);
  return found;
}

function extended(extent: Extent | undefined, bytes: number): Extent {
  if (extent === undefined) return { least: bytes, most: bytes };
  return { least: Math.min(extent.least, bytes), most: Math.max(extent.most, bytes) };
}
