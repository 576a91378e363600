// A codec whose calls cost a known time: a chain of multiplications, each of which waits for the one before.
// The message is the number as a character, which costs next to nothing. Its `turns` are calibrated by the test, which
// says how many nanoseconds one takes in a long loop of its own.
import { defineCodec } from "wirebench";

const turns = Number(process.env.BUSY_LOOP_TURNS ?? 100);

/** Some state that no compiler can foresee, after `count` dependent steps. */
export function spin(state, count) {
  let x = state | 1;
  for (let i = 0; i < count; i++) x = Math.imul(x, 0x9e3779b1) ^ (x >>> 15);
  return x;
}

let state = 1;
function busy(count) {
  return {
    summary: `spends ${count} turns of a loop on each call`,
    bind: () => {
      const work = (result) => {
        state = spin(state, count);
        return result;
      };
      return {
        build: (value) => value,
        write: ({ n }) => work(String.fromCharCode(n)),
        read: (text) => work({ n: text.charCodeAt(0) }),
        plain: (value) => value,
        access: (text) => text.charCodeAt(0),
        text: "utf16",
        direct: { build: true, plain: true },
        verify: () => {},
      };
    },
  };
}

export default defineCodec({
  format: "none",
  ...busy(turns),
  variants: { double: busy(turns * 2) },
});
