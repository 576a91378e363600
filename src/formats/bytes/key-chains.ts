/**
 * V8 finds a number or a bigint in a Map or a Set by a hash that is no secret (`ComputeUnseededHash` and
 * `ComputeLongHash` of `src/utils/utils.h`, V8 11 to 13): whoever makes the bytes can make keys that all share a chain,
 * and each new one is compared with all of them. Texts are hashed with a secret.
 *
 * No Map has such keys for less, whoever sets them: 4,096 bigints with equal lower halves take 213, 161 and 83 ms on
 * Node 20, 22 and 24, other ones 0.2 (measured). So honest keys of that kind, such as the networks of IPv6 as integers,
 * are taken up to some 1,500, and refused beyond.
 */

/** Keys up to which a chain is short enough, whatever they are. */
const FEW = 256;

/** To compare bigints takes four times as long as to compare numbers (measured on Node 20: 8 against 2 ns). */
const BIGINT = 4;

/** Comparisons that any input may take, some 20 ms, and those that each of its bytes may take beyond. */
const ALLOWED = 2 ** 22;
const PER_BYTE = 64;

/** What is wrong with an input that takes more. */
export const TOO_ALIKE = "too many keys that V8 takes long to tell apart";

/** Counts the comparisons that adding keys to Maps and Sets takes. */
export class KeyChains {
  /** Comparisons so far, in all containers of more than {@link FEW} keys. */
  compared = 0;
  /** Of each of these containers, how many keys have the same lower bits of their hash. */
  readonly #counts = new Map<object, Uint32Array>();

  /** Whether that is more than an input may take of which so many bytes were read. */
  exceed(bytes: number): boolean {
    return this.compared > ALLOWED + PER_BYTE * bytes;
  }

  /** Counts what it takes to add a key to a container that lacks it. */
  count(container: ReadonlyMap<unknown, unknown> | ReadonlySet<unknown>, key: unknown): void {
    const { size } = container;
    if (size < FEW || (typeof key !== "number" && typeof key !== "bigint")) return;
    let counts = this.#counts.get(container);
    if (counts === undefined || size >= 2 * counts.length) {
      counts = countsOf(container);
      this.#counts.set(container, counts);
    }
    const chain = hashOf(key) & (counts.length - 1);
    this.compared += counts[chain]! * (typeof key === "bigint" ? BIGINT : 1);
    counts[chain] = counts[chain]! + 1;
  }
}

/** As many chains as V8 has for a container: half as many as there is room for keys. */
function countsOf(container: ReadonlyMap<unknown, unknown> | ReadonlySet<unknown>): Uint32Array {
  const counts = new Uint32Array(2 ** Math.ceil(Math.log2(container.size)));
  for (const key of container.keys()) {
    if (typeof key !== "number" && typeof key !== "bigint") continue;
    const chain = hashOf(key) & (counts.length - 1);
    counts[chain] = counts[chain]! + 1;
  }
  return counts;
}

const float = new Float64Array(1);
const bits = new BigUint64Array(float.buffer);

/** V8's hash of a key. Of a bigint, only the lowest 64 bits count. */
export function hashOf(key: number | bigint): number {
  if (typeof key === "bigint") {
    return key === 0n ? 0 : longHash(BigInt.asUintN(64, key < 0n ? -key : key));
  }
  if ((key | 0) === key) return intHash(key);
  float[0] = key;
  return longHash(bits[0]!);
}

function intHash(key: number): number {
  let hash = (~key + (key << 15)) | 0;
  hash ^= hash >>> 12;
  hash = (hash + (hash << 2)) | 0;
  hash ^= hash >>> 4;
  hash = Math.imul(hash, 2057);
  return (hash ^ (hash >>> 16)) & 0x3fffffff;
}

function longHash(key: bigint): number {
  const word = (value: bigint): bigint => BigInt.asUintN(64, value);
  let hash = word(~key + (key << 18n));
  hash = word((hash ^ (hash >> 31n)) * 21n);
  hash ^= hash >> 11n;
  hash = word(hash + (hash << 6n));
  return Number((hash ^ (hash >> 22n)) & 0x3fffffffn);
}
