/** Formats and values at random. */
import type { StructValue } from "../../../src/formats/python-struct/index.ts";

type Random = () => number;

const PREFIXES = ["", "@", "=", "<", ">", "!"];
const STANDARD = [..."xcbB?hHiIlLqQefdsp"];
const NATIVE = [...STANDARD, ..."nNP"];

export function pick<Item>(random: Random, items: readonly Item[]): Item {
  return items[Math.floor(random() * items.length)]!;
}

/** A format that CPython takes. */
export function randomFormat(random: Random): string {
  const prefix = pick(random, PREFIXES);
  const characters = prefix === "" || prefix === "@" ? NATIVE : STANDARD;
  const parts = Array.from({ length: 1 + Math.floor(random() * 7) }, () => {
    const character = pick(random, characters);
    // A `p` of no bytes writes over its neighbour up to CPython 3.12.
    const least = character === "p" ? 1 : 0;
    const count = random() < 0.6 ? "" : String(least + Math.floor(random() ** 3 * 40));
    return `${count}${character}${random() < 0.1 ? " " : ""}`;
  });
  return prefix + parts.join("");
}

/** What may be a format or not. */
export function anyFormat(random: Random): string {
  const characters = [..."xcbB?hHiIlLqQnNPefdspazZ<>=!@ \t\n\v\f\r\0é/:0123456789"];
  const length = Math.floor(random() * 8);
  const tail = Array.from({ length }, () =>
    random() < 0.1
      ? String(Math.floor(random() * 10 ** Math.floor(random() * 15)))
      : pick(random, characters),
  );
  return pick(random, PREFIXES) + tail.join("");
}

const BITS: Readonly<Record<string, number>> = { b: 8, h: 16, i: 32, l: 64, q: 64, n: 64, P: 64 };
const FLOATS = [
  0,
  -0,
  1,
  -1.5,
  0.1,
  1e-45,
  5e-324,
  65_504,
  65_519.99,
  65_520,
  3.4028235677973366e38,
  3.5e38,
  1e308,
  Infinity,
  -Infinity,
  ...["7ff8000000000000", "fff8000000000000", "7ff8123456789abc", "ffffffffffffffff"].map((bits) =>
    Buffer.from(bits, "hex").readDoubleBE(),
  ),
];

/** A value for a format character: mostly one that it takes, at the edges often, and sometimes out of range. */
export function randomValue(random: Random, character: string): StructValue {
  switch (character) {
    case "?":
      return random() < 0.5;
    case "c":
      return randomBytes(random, random() < 0.97 ? 1 : Math.floor(random() * 3));
    case "s":
    case "p":
      return randomBytes(random, Math.floor(random() ** 3 * 300));
    case "e":
    case "f":
    case "d":
      if (random() < 0.4) return pick(random, FLOATS);
      return (random() - 0.5) * 2 ** Math.floor((random() - 0.5) * 60);
    default:
      return randomInteger(random, character);
  }
}

function randomInteger(random: Random, character: string): StructValue {
  // The edges of a standard `l` are among those of an `i`.
  const bits =
    random() < 0.2 && "lL".includes(character)
      ? 32
      : (BITS[character.toLowerCase()] ?? BITS[character] ?? 64);
  const [least, most] = "bhilqn".includes(character)
    ? [-(2n ** BigInt(bits - 1)), 2n ** BigInt(bits - 1) - 1n]
    : [0n, 2n ** BigInt(bits) - 1n];
  const edges = [least, most, 0n, 1n, -1n, most / 2n, 2n ** 53n, 2n ** 53n - 1n, -(2n ** 53n)];
  const outside = [least - 1n, most + 1n];
  const chosen = random();
  if (chosen < 0.3) return asEither(random, pick(random, edges));
  if (chosen < 0.32) return pick(random, outside);
  const size = BigInt(Math.floor(random() * bits));
  const magnitude = BigInt(Math.floor(random() * 2 ** 53)) & (2n ** size - 1n);
  return asEither(random, least < 0n && random() < 0.5 ? -magnitude : magnitude);
}

/** As a number where it can be one, and as a bigint now and then. */
function asEither(random: Random, value: bigint): number | bigint {
  const number = Number(value);
  return Number.isSafeInteger(number) && random() < 0.8 ? number : value;
}

export function randomBytes(random: Random, length: number): Uint8Array {
  return Uint8Array.from({ length }, () => Math.floor(random() * 256));
}
