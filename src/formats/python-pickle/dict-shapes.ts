import { compile, literal } from "../../model/generated-code.ts";
import { KeyNode, KeyTree, MOST_KEYS } from "../bytes/key-tree.ts";
import { UTF8_PER_UNIT, writeUtf8 } from "../bytes/utf8.ts";
import { PROBE, type WriteObject, writeNone } from "./object-writers.ts";
import { OP } from "./opcodes.ts";
import { MAY_BE_SLICED, SLOT_ROOM, SLOT_TEXT, slotFor } from "./text-memo.ts";

/** Objects whose shapes are noted, each of them. */
const EAGER = 2000;

/** Objects whose keys are those from the root of the tree down to here, in that order. */
export class DictShape extends KeyNode<WriteObject> {
  readonly key: string;

  constructor(above: DictShape | undefined, key: string) {
    super(above, key);
    this.key = key;
  }
}

/** Shapes of objects as they were written. */
export class DictShapes extends KeyTree<WriteObject, DictShape> {
  #chance = 1;
  #eager = EAGER;

  constructor() {
    super(new DictShape(undefined, ""));
  }

  protected override compile(shape: DictShape): WriteObject {
    return compileWriteDict(shape);
  }

  /** The shape with one key more, or undefined where it was not met before. */
  below(shape: DictShape, key: string): DictShape | undefined {
    const { next } = shape;
    return next !== undefined && next.key === key ? next : this.find(shape, (one) => one.key === key);
  }

  /**
   * The shape with one key more, or undefined where it was not met before: now it was. So each object adds one shape at
   * most, and those with keys of their own cost little.
   */
  follow(shape: DictShape, key: string): DictShape | undefined {
    const known = this.below(shape, key);
    if (known !== undefined) return known;
    const isKept = key.length <= SLOT_TEXT && shape.keys.length < MOST_KEYS && key.isWellFormed();
    if (isKept) this.add(shape, new DictShape(shape, key));
    return undefined;
  }

  /**
   * Whether to note the shape of an object: of the first ones each, then one in eight by chance. It takes as long as to
   * write some keys, for nothing where no shape is met again.
   */
  isToLearn(): boolean {
    if (this.#eager > 0) return --this.#eager >= 0;
    this.#chance = (Math.imul(this.#chance, 0x5bd1e995) + 0x3039) | 0;
    return this.#chance >>> 29 === 0;
  }

  /** What is to write objects of a shape that was met, if it was often. */
  writerOf(shape: DictShape): WriteObject | undefined {
    return shape.keys.length < 2 ? undefined : this.codeOf(shape);
  }
}

/** Shapes of objects that were met, by any pickler. */
export const shapes = new DictShapes();

/**
 * Generates the code that writes objects of a shape, as {@link Pickler.object} would: those that have just its keys, in
 * its order. Each property is read by its name, and has what wrote its last value: so V8 sees objects of one kind at
 * each place. What is gone when its turn comes, by a getter before it, is left out, as a loop does.
 * What is written for a key that the memo has not is known; it is words of 8 bytes: none is a NaN, as UTF-8 has no 0xff and no 0x7f after 0xf0.
 * @param shape of at least two keys, all of which have a slot in the memo of texts
 */
function compileWriteDict({ keys }: DictShape): WriteObject {
  const words: number[] = [];
  const entry = (key: string, i: number): string => {
    const slot = slotFor(key);
    const term = keyTerm(key);
    const stores = term.words.map(
      (word, n) => `out.view.setFloat64(at + ${8 * n}, c${words.push(word) - 1}, true);`,
    );
    return `entry: {
        const k = ${literal(key)}, v = o[k];
        step = k;
        if (v === undefined && !(k in o)) break entry;
        if (at < out.limit - ${SLOT_ROOM} && texts[${slot}] === k) {
          const index = numbers[${slot}] - first;
          if (index >= 0 && index < 256) {
            if (typeof v === "number" && (v & 255) === v && v !== 0) {
              out.view.setInt32(at, ${OP.BINGET | (OP.BININT1 << 16)} | index << 8 | v << 24, true);
              at += 4;
              break entry;
            }
            out.view.setUint16(at, ${OP.BINGET} | index << 8, true);
            at += 2;
          } else ${
            stores.length === 0
              ? ""
              : `if (index < 0 && isPlain) {
            numbers[${slot}] = first + out.count++;
            ${stores.join(" ")}
            at += ${term.size};
          } else `
          }at = p.key(k, at);
        } else at = p.key(k, at);
        if (typeof v === "object" && v !== null) {
          const end = w${i}(p, v, at, d + 1);
          if (end < 0 || p.found !== undefined) {
            at = end < 0 ? p.object(v, at, d + 1) : end;
            w${i} = p.found ?? none;
            p.found = undefined;
          } else at = end;
        } else at = p.leaf(v, at);
      }`;
  };
  const entries = keys.map(entry).join("\n      ");
  const source = `const { getPrototypeOf, prototype } = Object, [${words.map((_, i) => `c${i}`).join(", ")}] = words;
let ${keys.map((_, i) => `w${i} = none`).join(", ")};
return function write(p, o, at, d) {
    if (o[probe] !== undefined || getPrototypeOf(o) !== prototype || p.inherits) return -1;
    const { out } = p;
    const known = p.known(o);
    if (known >= 0) return out.fetch(known, out.room(at));
    let count = 0;
    for (const k in o) if (k !== keys[count++]) return -1;
    if (count !== ${keys.length}) return -1;
    at = p.beginDict(o, out.room(at), d);
    const { texts, numbers, first } = out.texts;
    const isPlain = out.modern && out.memo;
    let step;
    try {
      ${entries}
    } catch (error) {
      throw p.within(error, step);
    }
    return p.endDict(at);
};`;
  return compile(source, { words, keys, none: writeNone, probe: PROBE });
}

/** What protocol 4 has for a key that the memo has not, of so many bytes. */
interface KeyTerm {
  readonly size: number;
  /** Words of 8 bytes, each as the double that it is with its lowest byte first; none for a long key. */
  readonly words: readonly number[];
}

function keyTerm(key: string): KeyTerm {
  const bytes = new Uint8Array(MAY_BE_SLICED * UTF8_PER_UNIT + 16);
  const length = key.length < MAY_BE_SLICED ? writeUtf8(bytes, 2, key) : MAY_BE_SLICED;
  const words: number[] = [];
  const size = length + 3;
  if (length >= MAY_BE_SLICED) return { size, words };
  bytes[0] = OP.SHORT_BINUNICODE;
  bytes[1] = length;
  bytes[length + 2] = OP.MEMOIZE;
  const view = new DataView(bytes.buffer);
  for (let at = 0; at < size; at += 8) words.push(view.getFloat64(at, true));
  return { size, words };
}
