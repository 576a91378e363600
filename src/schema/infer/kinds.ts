import type { Evidence } from "./evidence.ts";

/** The kinds of JSON values that need a type; null is none of them. */
export type Kind = "text" | "number" | "bool" | "list" | "object";

/** The kinds that were seen at a path. */
export function kindsOf(path: Evidence): Kind[] {
  const counts: readonly [Kind, number][] = [
    ["text", path.texts],
    ["number", path.integers + path.fractions],
    ["bool", path.bools],
    ["list", path.lists],
    ["object", path.objects],
  ];
  return counts.filter(([, count]) => count > 0).map(([kind]) => kind);
}

/** Whether a key can be the name of a field as it is. protobufjs loses a field called `__proto__`. */
export function isIdentifier(key: string): boolean {
  return /^[A-Za-z_][A-Za-z0-9_]*$/.test(key) && key !== "__proto__";
}

/** A path as a JSON pointer (RFC 6901), in which `-` stands for every element of a list and every value of a map. */
export function pointer(path: string, step: string): string {
  return `${path}/${step.replaceAll("~", "~0").replaceAll("/", "~1")}`;
}

/** The pointer of the elements of a list, or the values of a map. */
export function pointerToEach(path: string): string {
  return `${path}/-`;
}
/** What was seen at a path, as the comment on its field: `37 of 37, 1 … 999`. @param of how often it could be there */
export function evidenceText(path: Evidence, of: number): string {
  const { count, nulls } = path;
  const item = path.item?.path;
  const { entry } = path.shape;
  const parts = [`${figure(count - nulls)} of ${figure(of)}`];
  if (nulls > 0) parts.push(`null in ${figure(nulls)}`);
  parts.push(...rangesOf(path));
  if (path.lists > 0) {
    const items = item === undefined ? [] : rangesOf(item);
    const each = items.length > 0 ? ` of ${items.join(", ")}` : "";
    parts.push(`${counted(path.leastItems, path.mostItems, "element")}${each}`);
  }
  if (path.objects > 0 && entry !== undefined) parts.push(counted(path.leastKeys, path.mostKeys, "key"));
  return parts.join(", ");
}

function rangesOf(path: Evidence): string[] {
  const { integers, fractions, low, high, wide, texts, shortest, longest } = path;
  const parts: string[] = [];
  if (integers + fractions > 0) {
    // The doubles of wide integers are rounded.
    const from = wide !== undefined && Number(wide.low) <= low ? wide.low : low;
    const to = wide !== undefined && Number(wide.high) >= high ? wide.high : high;
    parts.push(range(from, to));
  }
  if (texts > 0) parts.push(counted(shortest, longest, "byte"));
  return parts;
}

function counted(least: number, most: number, one: string): string {
  return `${range(least, most)} ${most === 1 ? one : `${one}s`}`;
}

function range(from: number | bigint, to: number | bigint): string {
  return from === to ? String(from) : `${from} … ${to}`;
}

function figure(count: number): string {
  return count.toLocaleString("en-US");
}
