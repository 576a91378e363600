/** Reports the work of pickles that are made to cost more than linear work: see `../linear-work/steps.ts`. */
import { decodePickle } from "../../../src/formats/python-pickle/index.ts";
import { type Family, report } from "../linear-work/steps.ts";

/** What is decoded: a head, a body n times, and an end. Latin-1 stands for bytes. */
function decoding(
  name: string,
  body: string,
  around: (n: number) => readonly [head: string, end: string],
): Family {
  return {
    name,
    make: (n) => {
      const [head, end] = around(n);
      const bytes = Buffer.from(head + body.repeat(n) + end, "latin1");
      return () => decodePickle(bytes);
    },
  };
}

const int32 = (n: number): string => Buffer.from(Int32Array.of(n).buffer).toString("latin1");
const LIST = ["](", "e."] as const;

report([
  decoding("empty lists", "]", () => LIST),
  decoding("sets of one long text", "\x8f(h\0\x90", (n) => [
    `X${int32(4 * n)}${"a".repeat(4 * n)}\x940](`,
    "e.",
  ]),
]);
