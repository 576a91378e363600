/** Mutants of messages: cut, changed, spliced with others, and with counts that are too large for what follows them. */

/** Bits that are turned over in every byte, as the tests of Erlang/OTP do. */
const MASKS = [1, 2, 4, 8, 16, 32, 64, 128, 255];

/** Words that take the place of a length or a count, whatever its width and order. */
const WORDS = [0n, 1n, 0x7fn, 0x80n, 0xffffn, 0x7fffffffn, 0xffffffffn, 2n ** 63n, 2n ** 64n - 1n];

/** Longest vector of which every systematic mutant is made. */
const SYSTEMATIC = 64;

/** Endless: first what is systematic, then what is random. */
export function* mutantsOf(vectors: readonly Uint8Array[], random: () => number): Generator<Uint8Array> {
  yield* systematicMutants(vectors);
  for (;;) yield randomMutant(vectors, random);
}

function* systematicMutants(vectors: readonly Uint8Array[]): Generator<Uint8Array> {
  for (const vector of vectors) {
    yield Buffer.from(vector);
    if (vector.length > SYSTEMATIC) continue;
    for (let at = 0; at < vector.length; at++) {
      yield Buffer.from(vector.subarray(0, at));
      for (const mask of MASKS) yield edited(vector, (copy) => (copy[at] = copy[at]! ^ mask));
    }
    for (const extra of [1, 16]) yield Buffer.concat([vector, Buffer.alloc(extra, 0xa5)]);
  }
  for (const vector of vectors) {
    if (vector.length > SYSTEMATIC) continue;
    for (let at = 0; at < vector.length; at++) {
      for (const word of WORDS) {
        for (const width of [2, 4, 8]) {
          for (const little of [false, true]) yield withWord(vector, at, word, width, little);
        }
      }
      for (let byte = 0; byte < 256; byte++) yield edited(vector, (copy) => (copy[at] = byte));
    }
  }
}

/** One of the vectors with one to three edits. */
export function randomMutant(vectors: readonly Uint8Array[], random: () => number): Buffer {
  let mutant: Buffer = Buffer.from(pick(vectors, random));
  for (let edits = 1 + Math.floor(random() * 3); edits > 0; edits--)
    mutant = randomEdit(mutant, vectors, random);
  return mutant;
}

function randomEdit(source: Buffer, vectors: readonly Uint8Array[], random: () => number): Buffer {
  const at = Math.floor(random() * source.length);
  const end = at + Math.floor(random() * Math.min(32, source.length - at));
  const cut = (middle: Uint8Array, from: number): Buffer =>
    Buffer.concat([source.subarray(0, at), middle, source.subarray(from)]);
  switch (Math.floor(random() * 10)) {
    case 0:
      return Buffer.from(source.subarray(0, at));
    case 1:
      return edited(source, (copy) => (copy[at] = (copy[at] ?? 0) ^ pick(MASKS, random)));
    case 2:
      return edited(source, (copy) => (copy[at] = Math.floor(random() * 256)));
    case 3:
      return withWord(source, at, pick(WORDS, random), pick([2, 4, 8], random), random() < 0.5);
    case 4:
      return cut(Buffer.alloc(0), end);
    case 5:
      return cut(source.subarray(at, end), at);
    case 6:
      return cut(Buffer.from([Math.floor(random() * 256)]), at);
    case 7:
      return inflated(source, at, random);
    case 8:
      return repeated(source, at, end, random);
    default: {
      const other = pick(vectors, random);
      const from = Math.floor(random() * other.length);
      return cut(other.subarray(from, from + Math.floor(random() * 32)), end);
    }
  }
}

/** A number of 1, 2 or 4 bytes made greater: by one, twice, or by more. */
function inflated(source: Buffer, at: number, random: () => number): Buffer {
  const width = Math.min(pick([1, 2, 4], random), source.length - at);
  if (width <= 0) return source;
  const little = random() < 0.5;
  const value = little ? source.readUIntLE(at, width) : source.readUIntBE(at, width);
  const greater = pick([value + 1, value * 2, value + 255, value * 256 + 255, value + 65_536], random);
  return withWord(source, at, BigInt(greater), width, little);
}

/** Largest mutant that repetition makes, but for one in so many, which is the largest of all. */
const USUAL_BYTES = 2048;
const LARGE_BYTES = 65_536;
const SELDOM = 2000;

/** Some bytes many times over, and where there is one shortly before them, a count of so many. */
function repeated(source: Buffer, at: number, end: number, random: () => number): Buffer {
  const part = source.subarray(at, Math.max(end, at + 1));
  const most = (random() * SELDOM < 1 ? LARGE_BYTES : USUAL_BYTES) - source.length;
  const times = Math.min(2 ** Math.ceil(random() * 16), Math.floor(most / Math.max(1, part.length)));
  if (part.length === 0 || times < 2) return source;
  const result = Buffer.concat([
    source.subarray(0, at),
    Buffer.alloc(part.length * times, part),
    source.subarray(at + part.length),
  ]);
  const width = pick([0, 1, 2, 4], random);
  const place = at - width - Math.floor(random() * 3);
  if (width === 0 || place < 0) return result;
  return withWord(result, place, BigInt(times), width, random() < 0.5);
}

function edited(source: Uint8Array, edit: (copy: Buffer) => void): Buffer {
  const copy = Buffer.from(source);
  if (copy.length > 0) edit(copy);
  return copy;
}

/** The bytes with a word at an offset, as far as there is room for it. */
function withWord(source: Uint8Array, at: number, word: bigint, width: number, little: boolean): Buffer {
  return edited(source, (copy) => {
    for (let i = 0; i < width && at + i < copy.length; i++) {
      copy[at + i] = Number((word >> BigInt(8 * (little ? i : width - 1 - i))) & 0xffn);
    }
  });
}

function pick<Item>(items: readonly Item[], random: () => number): Item {
  return items[Math.floor(random() * items.length)]!;
}
