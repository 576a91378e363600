// What wirebench's own codecs lose where no code may be made of strings, and their generated code is interpreted.
//
//   node benchmarks/no-eval.js [dataset] [rounds]
//
// For each codec processes with and without the flag of Node in turns, each with the least time of a call in 300 ms; a line has the
// median ratio of encode and of decode.
import { spawnSync } from "node:child_process";
import path from "node:path";

const CODECS = ["amf3", "erlang-etf", "erlang-etf:record", "python-pickle", "python-struct", "raw-struct"];
const FLAG = "--disallow-code-generation-from-strings";
const [dataset = "tellist", rounds = "5"] = process.argv.slice(2);

const program = (codec) => `
import { namedDataset } from "./dist/catalog/dataset.js";
import { Registry } from "./dist/catalog/registry.js";
import { decodeTrusted, encodeValue } from "./dist/schema/values/transcode.js";
const registry = await Registry.open([]);
const data = await namedDataset(registry, ${JSON.stringify(dataset)});
const binding = await (await registry.codec(${JSON.stringify(codec)})).bind(data);
const encoded = encodeValue(binding, data.values[0]);
const least = (call) => {
  let best = Infinity;
  for (const end = performance.now() + 300; performance.now() < end; ) {
    const start = performance.now();
    for (let i = 0; i < 20; i++) call();
    best = Math.min(best, (performance.now() - start) / 20);
  }
  return best;
};
console.log(JSON.stringify([least(() => encodeValue(binding, data.values[0])), least(() => decodeTrusted(binding, encoded))]));
`;

function times(codec, flags) {
  const { stdout, stderr } = spawnSync(
    process.execPath,
    [...flags, "--input-type=module", "-e", program(codec)],
    { cwd: path.join(import.meta.dirname, ".."), encoding: "utf8" },
  );
  if (stderr !== "") throw new Error(stderr);
  return JSON.parse(stdout);
}

const middle = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];

console.log(`${dataset}: times as many as with code of strings\n${"codec".padEnd(20)}encode  decode`);
for (const codec of CODECS) {
  const ratios = Array.from({ length: Number(rounds) }, () => {
    const [compiled, interpreted] = [times(codec, []), times(codec, [FLAG])];
    return interpreted.map((time, i) => time / compiled[i]);
  });
  const [encode, decode] = [0, 1].map((i) => middle(ratios.map((pair) => pair[i])).toFixed(1));
  console.log(`${codec.padEnd(20)}${encode.padStart(6)}  ${decode.padStart(6)}`);
}
