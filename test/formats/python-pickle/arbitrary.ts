/** fast-check arbitraries for values that Python has too. */
import fc from "fast-check";
import { ByteArray, FrozenSet, PyFloat, Tuple } from "../../../src/formats/python-pickle/index.ts";

const text = fc.oneof(
  fc.string({ unit: "binary", maxLength: 40 }),
  fc.string({ maxLength: 8 }),
  fc.constantFrom(
    "",
    "name",
    "a name of 17 unit",
    "x".repeat(32),
    "7",
    "__proto__",
    "constructor",
    "\u0000\n\\'\"",
    "小明",
    "x".repeat(300),
  ),
);
const bytes = fc.uint8Array({ maxLength: 300 });
const leaf = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    true,
    false,
    0,
    -1,
    255,
    256,
    65_535,
    65_536,
    2 ** 31,
    -(2 ** 31),
    2 ** 53,
    -0,
  ),
  fc.integer(),
  fc.double(),
  fc.bigInt({ min: -(2n ** 70n), max: 2n ** 70n }).map((value) => (isSafe(value) ? Number(value) : value)),
  fc.integer({ min: -1000, max: 1000 }).map((value) => new PyFloat(value)),
  text,
  bytes,
  bytes.map((value) => new ByteArray(value)),
);

function isSafe(value: bigint): boolean {
  return Number.isSafeInteger(Number(value));
}

/** Values that differ in Python, so that each of them can be a key beside the others. */
const key = fc.oneof(
  text,
  fc.integer({ min: 2, max: 1000 }),
  fc.bigInt({ min: 2n ** 60n, max: 2n ** 64n }),
  fc.constantFrom<unknown>(null, true, false, 0.5),
);

/** A value of any type that is carried, without references to what it contains. */
export const pythonValues = fc.letrec<{ value: unknown; list: unknown[] }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    leaf,
    tie("list"),
    tie("list").map((items) => Tuple.from(items)),
    fc.dictionary(text, tie("value"), { maxKeys: 5 }),
    fc.uniqueArray(key, { maxLength: 4 }).map((items) => new Set(items)),
    fc.uniqueArray(key, { maxLength: 4 }).map((items) => new FrozenSet([Tuple.from(items), ...items])),
    fc
      .uniqueArray(fc.tuple(key, tie("value")), { maxLength: 4, selector: ([one]) => one })
      .map((entries) => new Map(entries)),
  ),
  list: fc.array(tie("value"), { maxLength: 5 }),
})).value;

/** Puts some containers of a value into others, so that references are shared and cyclic. */
export function entangled(value: unknown, random: () => number): unknown {
  const lists: unknown[][] = [];
  const containers: unknown[] = [];
  const visit = (item: unknown): void => {
    if (typeof item !== "object" || item === null || ArrayBuffer.isView(item) || item instanceof Set) return;
    containers.push(item);
    if (Array.isArray(item) && !(item instanceof Tuple)) lists.push(item);
    const items = item instanceof Map ? item.values() : Object.values(item);
    for (const one of items) visit(one);
  };
  visit(value);
  for (let i = 0; i < 2 && lists.length > 0; i++) {
    const list = lists[Math.floor(random() * lists.length)]!;
    list.push(containers[Math.floor(random() * containers.length)]);
  }
  return value;
}
