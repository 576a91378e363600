/** Work of known growth, for the test of the counting itself. What is generated counts as our own code. */
import { compile } from "../../../src/model/generated-code.ts";
import { type Family, report } from "./steps.ts";

function family(name: string, source: string): Family {
  const run = compile<(n: number) => unknown>(`return (n) => { ${source} }`);
  return { name, make: (n) => () => run(n) };
}

const TEXT = `const text = "a".repeat(n).replace(/b/, "");`;
const BYTES = "const bytes = Buffer.alloc(n);";

report([
  family("linear: a loop", "let sum = 0; for (let i = 0; i < n; i++) sum += i % 3; return sum;"),
  family(
    "linear: elements of an array",
    "const all = []; for (let i = 0; i < n; i++) all.push([i]); return all;",
  ),
  family(
    "linear: one text as a key",
    `${TEXT} const all = new Map(); for (let i = 0; i < n; i++) all.set(text, i);`,
  ),
  family(
    "linear: a set of numbers",
    "const all = new Set(); for (let i = 0; i < n; i++) all.add(i); return all;",
  ),
  family(
    "quadratic: a loop in a loop",
    "let sum = 0; for (let i = 0; i < n * n; i++) sum += i % 3; return sum;",
  ),
  family(
    "quadratic: a new text of a key",
    `${TEXT} const all = new Map(); for (let i = 0; i < n; i++) all.set("s" + text, i);`,
  ),
  family(
    "quadratic: text of an integer",
    "const big = 10n ** BigInt(n); for (let i = 0; i < n; i++) String(big);",
  ),
  family("quadratic: copies", `${BYTES} for (let i = 0; i < n; i++) new Uint8Array(bytes);`),
  family(
    "quadratic: elements that move",
    "const all = Array(n).fill(0); for (let i = 0; i < n; i++) all.shift();",
  ),
  family("quadratic: searches", `${BYTES} for (let i = 0; i < n; i++) bytes.indexOf(1);`),
  family("quadratic: expressions", `${TEXT} for (let i = 0; i < n; i++) /^a*$/.test(text);`),
]);
