/** Terms of 64 KB that are made to take memory. */
import { deflateSync } from "node:zlib";
import type { DecodeOptions } from "../../../src/formats/erlang-etf/index.ts";

const SIZE = 65_536;

/** A list of one element again and again, as a whole term without its version. */
function list(element: string, size: number): Buffer {
  const unit = Buffer.from(element.replaceAll(" ", ""), "hex");
  const count = Math.floor((size - 6) / unit.length);
  const bytes = Buffer.alloc(6 + count * unit.length, 106);
  bytes[0] = 108;
  bytes.writeUInt32BE(count, 1);
  bytes.fill(unit, 5, bytes.length - 1);
  return bytes;
}

function plain(element: string): Buffer {
  return Buffer.concat([Buffer.of(131), list(element, SIZE - 1)]);
}

function filled(head: string, unit: string): Buffer {
  const [start, rest] = [Buffer.from(head, "hex"), Buffer.from(unit, "hex")];
  return Buffer.concat([start, ...Array<Buffer>(Math.floor((SIZE - start.length) / rest.length)).fill(rest)]);
}

/** A term compressed as far as 64 KB go. */
function packed(term: Buffer): Buffer {
  const head = Buffer.from([131, 80, 0, 0, 0, 0]);
  head.writeUInt32BE(term.length, 2);
  return Buffer.concat([head, deflateSync(term, { level: 9 })]);
}

/** A list of integers, a float and an empty list: V8 makes an array of integers one of floats, and then of objects. */
function withFloat(integers: number): Buffer {
  const head = Buffer.from("6c00000000", "hex");
  head.writeUInt32BE(integers + 2, 1);
  const end = Buffer.from("463ff1000000000000" + "6a" + "6a", "hex");
  return Buffer.concat([head, Buffer.alloc(2 * integers, Buffer.of(97, 1)), end]);
}

function text(size: number): Buffer {
  const term = Buffer.alloc(size, 97);
  term[0] = 109;
  term.writeUInt32BE(size - 5, 1);
  return term;
}

/** One map with very many keys, each of them another. */
function manyKeys(): Buffer {
  const count = Math.floor((SIZE - 6) / 10);
  const bytes = Buffer.alloc(6 + count * 10);
  bytes.set([131, 116]);
  bytes.writeUInt32BE(count, 2);
  for (let i = 0; i < count; i++) {
    bytes.set(
      [109, 0, 0, 0, 4, 97 + (i & 15), 97 + ((i >> 4) & 15), 97 + ((i >> 8) & 15), 97 + (i >> 12), 106],
      6 + i * 10,
    );
  }
  return bytes;
}

/** A list of 60,000 bytes, in a key of a map of two keys, which is in such a key, and so on. */
function keysInKeys(): Buffer {
  let term = Buffer.concat([Buffer.from("6bea60", "hex"), Buffer.alloc(60_000, 97)]);
  const head = Buffer.from("7400000002", "hex");
  for (let i = 0; i < 99; i++) term = Buffer.concat([head, term, Buffer.of(106, 97, i, 106)]);
  return Buffer.concat([Buffer.of(131), term]);
}

const TYPED = { terms: "typed", funs: "inert" } as const;
const MAPS = { maps: "Map", binaries: "auto" } as const;
const node = "77 01 61";

/** What each is, the options that it is read with, and what comes of it, by default that it is read. */
export const HOSTILE_INPUTS: readonly (readonly [
  name: string,
  bytes: Buffer,
  options?: DecodeOptions,
  expected?: "refused",
])[] = [
  ["empty lists", plain("6a")],
  ["empty maps", plain("74 00000000")],
  ["empty maps as Maps", plain("74 00000000"), MAPS],
  ["empty tuples", plain("68 00")],
  ["small integers", plain("61 01")],
  ["bytes in a list", filled("836c000000006a".slice(0, 2), "6b0001ff"), {}, "refused"],
  ["lists of one byte", plain("6b 0001 ff")],
  ["atoms of one character", plain("77 01 61")],
  ["texts of one character", plain("6d 00000001 61")],
  ["no bytes, again and again", plain("6d 00000000"), TYPED],
  ["bit strings", plain("4d 00000001 01 80"), TYPED],
  ["maps of one key", plain("74 00000001 6d 00000001 61 6a")],
  ["maps of one key as Maps", plain("74 00000001 6a 6a"), MAPS],
  ["one map of very many keys", manyKeys()],
  ["one Map of very many keys", manyKeys(), MAPS],
  ["a Map of very many keys of bytes", manyKeys(), TYPED],
  ["floats", plain("46 3ff0000000000000"), TYPED],
  ["integers of 70 bits", plain("6e 09 00 010203040506070809")],
  ["pids", plain(`58 ${node} 00000001 00000001 00000001`)],
  ["references", plain(`5a 0001 ${node} 00000001 00000001`)],
  ["exports", plain(`71 ${node} ${node} 61 01`), TYPED],
  ["a list in a key of a key of a key", keysInKeys(), MAPS],
  ["the same, typed", keysInKeys(), TYPED],
  ["lists in lists", filled("83", "6c00000001"), {}, "refused"],
  ["lists of 65,535 in lists of 65,535", filled("83", "6c0000ffff"), {}, "refused"],
  ["lists by their tails", filled("83", "6c0000000161ff"), {}, "refused"],
  ["lists of 4,294,967,295", filled("83", "6cffffffff"), {}, "refused"],
  ["tuples of 4,294,967,295", filled("83", "69ffffffff"), {}, "refused"],
  ["maps of 4,294,967,295", filled("83", "74ffffffff"), {}, "refused"],
  ["references of 65,535 words", filled("83", `5affff770161`), {}, "refused"],
  ["an integer of 64 KB", filled("836f0000ff00", "00ff"), {}, "refused"],
  ["4 MiB of text, compressed", packed(text(2 ** 22))],
  ["16 MiB of text, compressed", packed(text(2 ** 24)), {}, "refused"],
  ["64 MiB of text, compressed", packed(text(2 ** 26)), {}, "refused"],
  ["200,000 empty lists, compressed", packed(list("6a", 200_000))],
  ["16 million empty lists, compressed", packed(list("6a", 2 ** 24 - 1)), {}, "refused"],
  ["3 million empty maps, compressed", packed(list("74 00000000", 2 ** 24 - 1)), {}, "refused"],
  ["120,000 tuples of an integer, compressed", packed(list("68 01 61 01", 480_006)), {}, "refused"],
  ["120,000 tuples of an empty list, compressed", packed(list("68 01 6a", 360_006)), {}, "refused"],
  ["110,000 lists of an empty list, compressed", packed(list("6c 00000001 6a 6a", 770_006)), {}, "refused"],
  ["50,000 tuples in tuples, compressed", packed(list("6801 6801 6801 6801 6a", 450_006)), {}, "refused"],
  ["40,000 tuples of an integer, compressed", packed(list("68 01 61 01", 160_006))],
  ["42,000 lists of an empty list, compressed", packed(list("6c 00000001 6a 6a", 294_006))],
  ["10,000 tuples in tuples, compressed", packed(list("6801 6801 6801 6801 6a", 90_006))],
  ["390,000 integers, compressed", packed(list("61 01", 780_006))],
  ["250,000 integers and a float, compressed", packed(withFloat(250_000))],
  ["600,000 integers and a float, compressed", packed(withFloat(600_000)), {}, "refused"],
  ["110,000 texts of 16 letters, compressed", packed(list(`6d 00000010 ${"61".repeat(16)}`, 2_310_006))],
  [
    "190,000 texts of 16 letters, compressed",
    packed(list(`6d 00000010 ${"61".repeat(16)}`, 3_990_006)),
    {},
    "refused",
  ],
  ["50,000 empty Maps, compressed", packed(list("74 00000000", 250_000)), TYPED],
  ["50,000 times no bytes, compressed", packed(list("6d 00000000", 250_000)), TYPED],
  [
    "said to be 16 MiB, and 64 KB of nothing",
    Buffer.concat([Buffer.from([131, 80, 1, 0, 0, 0]), Buffer.alloc(SIZE)]),
    {},
    "refused",
  ],
];
