/** What a library does to the process that loads it, or asks of it, and that its row says. */
import { readFileSync } from "node:fs";
import path from "node:path";
import type { LibraryCopy } from "../../model/codec.ts";

/** Objects that every program shares: what a library adds to one of them, or replaces there, is met by all other code. */
const SHARED: readonly (readonly [name: string, object: object])[] = [
  ...[Object, Function, Array, String, Number, Boolean, BigInt, Symbol, RegExp, Date, Promise, Error].flatMap(
    both,
  ),
  ...[Map, Set, WeakMap, ArrayBuffer, DataView, Uint8Array, Float64Array, Buffer].flatMap(both),
  ["TypedArray.prototype", Object.getPrototypeOf(Uint8Array.prototype) as object],
  ["JSON", JSON],
  ["Math", Math],
  ["Reflect", Reflect],
  ["Atomics", Atomics],
];

function both(type: { readonly name: string; readonly prototype: object }): [string, object][] {
  return [
    [type.name, type],
    [`${type.name}.prototype`, type.prototype],
  ];
}

/** The built-in functions of a process, to be told later which of them a library has changed. */
export class Builtins {
  readonly #before = SHARED.map(([, object]) => membersOf(object));

  /** The first that is another now, or new, as in `Array.prototype.flat`; undefined where none is. */
  changed(): string | undefined {
    for (const [index, [name, object]] of SHARED.entries()) {
      const before = this.#before[index]!;
      for (const [key, member] of membersOf(object))
        if (!before.has(key) || before.get(key) !== member) return `${name}.${String(key)}`;
    }
    return undefined;
  }
}

/** Functions by their names, and what else there is as nothing: a limit may be set to another number. */
function membersOf(object: object): Map<string | symbol, unknown> {
  const members = Reflect.ownKeys(object).map((key) => {
    const { value, get } = Object.getOwnPropertyDescriptor(object, key)!;
    return [key, typeof value === "function" ? value : get] as const;
  });
  return new Map(members);
}

/** `cborg 7.0.0 needs Node 22 or later, this is 20.20.2`, by the library's package.json; undefined where it does not say so. */
export function neededNode({ name, folder }: LibraryCopy): string | undefined {
  const manifest = readFileSync(path.join(folder, "node_modules", name, "package.json"), "utf8");
  const { version, engines } = JSON.parse(manifest) as {
    readonly version: string;
    readonly engines?: { readonly node?: string };
  };
  // The least of each alternative, as in `^20.19 || >=22.12`.
  const least = (engines?.node ?? "")
    .split("||")
    .map((range) => /(?<!<=?\s*)\b\d+(?:\.\d+)*/.exec(range)?.[0] ?? "0")
    .toSorted(byVersion)[0]!;
  const own = process.versions.node;
  return byVersion(least, own) > 0
    ? `${name} ${version} needs Node ${least} or later, this is ${own}`
    : undefined;
}

function byVersion(one: string, other: string): number {
  const [a, b] = [one, other].map((version) => version.split(".").map(Number)) as [number[], number[]];
  const different = [0, 1, 2].find((part) => (a[part] ?? 0) !== (b[part] ?? 0)) ?? 0;
  return (a[different] ?? 0) - (b[different] ?? 0);
}
