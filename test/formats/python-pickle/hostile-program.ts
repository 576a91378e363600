/**
 * Reads pickles of 64 KB that are made to cost time or memory, in a small heap of its own, and prints a line of JSON
 * for each: what came of it, and how far the process has grown since before the first.
 */
import { decodePickle } from "../../../src/formats/python-pickle/index.ts";
import { DecodeError } from "../../../src/model/errors.ts";

const SIZE = 65_536;

/** A head, a body as often as fits, and an end. Latin-1 stands for bytes. */
function filled(head: string, body: string, end: string): Buffer {
  const times = Math.floor((SIZE - head.length - end.length) / body.length);
  return Buffer.from(head + body.repeat(times) + end, "latin1");
}

/** What `body` pushes, as the items of a list. */
const listOf = (body: string, head = ""): Buffer => filled(`${head}](`, body, "e.");

/** Entries of a dict with keys that differ. */
function manyKeys(key: (i: number) => string, count: number): Buffer {
  const entries = Array.from({ length: count }, (_, i) => `${key(i)}N`);
  return Buffer.from(`}(${entries.join("")}u.`, "latin1");
}

const char = String.fromCharCode;
const int32 = (i: number): string => `J${char(i & 255, (i >> 8) & 255, (i >> 16) & 255, 0)}`;

const cases: readonly (readonly [name: string, bytes: Buffer, expected?: "refused"])[] = [
  ["small integers", listOf("K\x01")],
  ["empty lists", listOf("]")],
  ["empty dicts", listOf("}")],
  ["empty sets", listOf("\x8f")],
  ["empty frozensets", listOf("(\x91")],
  ["empty bytes", listOf("C\0")],
  ["empty bytearrays", listOf("\x96\0\0\0\0\0\0\0\0")],
  ["empty tuples", listOf(")")],
  ["tuples of an empty tuple", listOf(")\x85")],
  ["dicts with a key that is no text", listOf("}NNs")],
  ["sets with an element", listOf("\x8f(N\x90")],
  ["dicts of one index", listOf("}\x8c\x03900Ns")],
  ["dicts of one index among names", listOf("}(\x8c\x01aN\x8c\x03900Nu")],
  ["dicts that get an index later", listOf("}\x8c\x01aNs\x8c\x03900Ns")],
  ["short texts", listOf("\x8c\x01a")],
  ["floats", listOf("G?\xf8\0\0\0\0\0\0")],
  ["integers of nine bytes", listOf(`\x8a\x09${"\x7f".repeat(9)}`)],
  ["decimal integers", listOf("L9223372036854775808L\n")],
  ["memo entries", listOf("N\x94")],
  ["memo entries with gaps", listOf("Nr\xff\xff\xff\xff")],
  ["memo entries with gaps that differ", memoGaps()],
  ["references to a long list", listOf("h\0", `](${"N".repeat(10_000)}eq\0`.concat("0"))],
  ["lists that only open", filled("", "]", "."), "refused"],
  ["marks", filled("", "(", "."), "refused"],
  ["tuples in tuples", filled(")", "\x85", "."), "refused"],
  ["lists in lists by the memo", filled("]q\0", "0]h\0aq\0", "."), "refused"],
  ["tuples of two references in tuples, as a key", filled("})q\0", "h\0h\0\x86q\0", "Ns."), "refused"],
  ["calls with the same text", calls(), "refused"],
  ["calls with the same list", listCalls(), "refused"],
  ["text of 4 GiB", listOf("X\xff\xff\xff\xff"), "refused"],
  ["bytes of 16 EiB", listOf("\x8e\xff\xff\xff\xff\xff\xff\xff\xff"), "refused"],
  ["frames", filled("\x80\x04", "\x95\x01\0\0\0\0\0\0\0N0", "N.").subarray(0, SIZE)],
  [
    "keys that are text",
    manyKeys((i) => `\x8c\x03${char(97 + (i & 15), 97 + ((i >> 4) & 15), 97 + (i >> 8))}`, 4096),
  ],
  ["keys that are integers", manyKeys(int32, 10_000)],
  ["keys that are tuples", manyKeys((i) => `${int32(i)}\x85`, 9_000)],
  [
    "keys that are indexes far apart",
    manyKeys((i) => `\x8c\x08${(10_000_000 + i * 6_001).toString().slice(-8)}`, 5_900),
  ],
  ["keys that are frozensets", manyKeys((i) => `(${int32(i)}\x91`, 8_000)],
  ["an integer of 65,000 digits", Buffer.from(`L${"9".repeat(65_000)}L\n.`), "refused"],
  [
    "an integer of 65,000 bytes",
    Buffer.from(`\x8b\xe8\xfd\0\0${"\x7f".repeat(65_000)}.`, "latin1"),
    "refused",
  ],
  ["a string literal of escapes", filled("S'", "\\x41", "'\n.")],
  ["raw unicode of escapes", filled("V", "\\u0041", "\n.")],
  ["dicts that become Maps, each referred to", listOf("}\x94NNs0N")],
];

function memoGaps(): Buffer {
  const parts = Array.from({ length: 10_000 }, (_, i) => `Nr${char(i & 255, i >> 8, 7, 7)}`);
  return Buffer.from(`](${parts.join("")}e.`, "latin1");
}

/** 30 KB of text, and as many calls that make bytes of it as fit. */
function calls(): Buffer {
  const text = `X\x30\x75\0\0${"a".repeat(30_000)}q\0`;
  const head = `${text}0X\x06\0\0\0latin1q\x010c_codecs\nencode\nq\x020](`;
  return filled(head, "h\x02h\0h\x01\x86R", "e.");
}

function listCalls(): Buffer {
  const list = `](${"K\x01".repeat(10_000)}eq\0`;
  return filled(`${list}0cbuiltins\nfrozenset\nq\x010](`, "h\x01h\0\x85R", "e.");
}

function outcomeOf(bytes: Buffer): string {
  try {
    decodePickle(bytes);
    return "accepted";
  } catch (error) {
    return error instanceof DecodeError ? "refused" : String(error);
  }
}

const before = process.resourceUsage().maxRSS;
for (const [name, bytes, expected = "accepted"] of cases) {
  // What earlier ones left is no cost of this one.
  globalThis.gc?.();
  const outcome = outcomeOf(bytes);
  const grownKb = process.resourceUsage().maxRSS - before;
  process.stdout.write(`${JSON.stringify({ name, expected, outcome, grownKb })}\n`);
}
