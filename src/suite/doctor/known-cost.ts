/**
 * A codec whose calls cost a known time: a plugin that `wirebench doctor` measures as any other. Writing is a chain of
 * multiplications, each of which waits for the one before. The message is the number as a character, which costs next to
 * nothing; a number that is not one is lost.
 */
import { type Binding, type CodecVariant, defineCodec } from "../../model/codec.ts";
import { LIKENESSES, SLOWDOWNS, TURNS } from "./known-turns.ts";

/** Some state that no compiler can foresee, after `count` turns that depend on each other. */
export function spin(state: number, count: number): number {
  let x = state | 1;
  for (let i = 0; i < count; i++) x = Math.imul(x, 0x9e3779b1) ^ (x >>> 15);
  return x;
}

let state = 1;

function busy(turns: number): CodecVariant {
  return {
    summary: `spends ${turns} turns of a loop on each message that it writes`,
    bind: (): Binding => {
      // Read from memory: for a number that it knows, V8 could make code that differs from variant to variant.
      const count = Int32Array.of(turns);
      return {
        build: (value) => value,
        write: (value) => {
          state = spin(state, count[0]!);
          return String.fromCharCode((value as { n: number }).n);
        },
        read: (text) => ({ n: (text as string).charCodeAt(0) }),
        plain: (value) => value as { n: number },
        access: (text) => (text as string).charCodeAt(0),
        text: "utf16",
        direct: { build: true, plain: true },
        verify: () => {},
      };
    },
  };
}

const alike = LIKENESSES.map((name) => [name, busy(TURNS)] as const);
const slower = Object.entries(SLOWDOWNS).map(
  ([name, share]) => [name, busy(Math.round(TURNS * (1 + share)))] as const,
);

export default defineCodec({
  format: "none",
  ...busy(TURNS),
  variants: Object.fromEntries([...alike, ...slower]),
});
