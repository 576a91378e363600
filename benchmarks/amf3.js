// How fast is wirebench/amf3 beside the AMF3 of Python and of npm, on the dictionary of the published comparison? Each
// side in turn, several times, in processes of their own; the ratios are of medians.
//
//   node benchmarks/install.js && node benchmarks/amf3.js [ROUNDS]
//
// It compares with Py3AMF 0.9.1 and with PyAMF 0.8.0 under Python 2.7, whose C extension pip builds where there is a
// compiler. WIREBENCH_PYAMF and WIREBENCH_PYAMF27 name other Pythons that have them.
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { isDeepStrictEqual } from "node:util";
import { namedDataset, Registry } from "wirebench";
import { decode, encode } from "wirebench/amf3";
import { INSTALL, loadRival, pythonOf } from "./support/rivals.js";
import { verdict } from "./support/verdict.js";

const ROUNDS = Number(process.argv[2] ?? 7);

/** What a side measures in one visit: so many rounds of so many seconds. */
const VISIT = { rounds: 3, seconds: 0.15 };

const REFERENCES = [
  { name: "Py3AMF", program: pythonOf("py3amf", "WIREBENCH_PYAMF"), least: 10 },
  { name: "PyAMF with its C extension", program: pythonOf("pyamf27", "WIREBENCH_PYAMF27"), least: 5 },
];

const { values } = await namedDataset(await Registry.open(), "garden");
const messages = values.map((value) => encode(value));

/** Microseconds per call in each round of a visit. */
function timed(operation, inputs) {
  const micros = (calls) => {
    const start = performance.now();
    for (let i = 0; i < calls; i++) globalThis.sink = operation(inputs[i % inputs.length]);
    return ((performance.now() - start) / calls) * 1e3;
  };
  micros(5000);
  const calls = Math.ceil((VISIT.seconds * 1e6) / micros(1000));
  return Array.from({ length: VISIT.rounds }, () => micros(calls));
}

const median = (numbers) => numbers.toSorted((a, b) => a - b)[numbers.length >> 1];
const shown = (numbers) => `${median(numbers).toFixed(2)} µs`;

const folder = mkdtempSync(path.join(tmpdir(), "wirebench-"));
const file = path.join(folder, "values.json");
writeFileSync(file, JSON.stringify(values));
const script = path.join(import.meta.dirname, "reference/amf3.py");

const times = { encode: [], decode: [] };
const sides = REFERENCES.flatMap(({ name, program, least }) => {
  if (program !== undefined) return [{ name, program, least, times: { encode: [], decode: [] } }];
  console.log(`skipped ${name}: ${INSTALL}`);
  return [];
});
try {
  for (let round = 0; round < ROUNDS; round++) {
    times.encode.push(...timed(encode, values));
    times.decode.push(...timed(decode, messages));
    for (const side of sides) {
      const options = [script, file, String(VISIT.rounds), String(VISIT.seconds)];
      const result = JSON.parse(execFileSync(side.program, options, { encoding: "utf8" }));
      if (!isDeepStrictEqual(decode(Buffer.from(result.hex, "hex")), values[0])) {
        throw new Error(`${result.program} wrote another value`);
      }
      side.result = result;
      for (const operation of ["encode", "decode"]) side.times[operation].push(...result[operation]);
    }
  }
} finally {
  rmSync(folder, { recursive: true });
}

console.log(
  `garden: ${messages[0].length} bytes; Node ${process.version}, medians of ${times.encode.length} rounds`,
);
for (const { name, least, result, times: theirs } of sides) {
  if (name.includes("C extension") && !result.program.includes("with its C")) {
    throw new Error(`${result.program}: the goal is about the one with its C extension`);
  }
  const same =
    result.hex === Buffer.from(messages[0]).toString("hex")
      ? "the same bytes"
      : "other bytes, the same value";
  console.log(`${result.program}: ${same}`);
  for (const operation of ["encode", "decode"]) {
    const [ours, other] = [times[operation], theirs[operation]];
    const ratio = median(other) / median(ours);
    const what = `${operation}: ${shown(other)}, wirebench/amf3 ${shown(ours)}: ${ratio.toFixed(1)} ×`;
    verdict(what, ratio, { least });
  }
}

/** Libraries that are only compared with: what they do with the same value, and what they make of it. */
const RIVALS = {
  "amf-js": ({ deserialize }) => ({
    decode: (bytes) => deserialize(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length)),
  }),
  "@astronautlabs/amf": ({ AMF3 }) => ({
    encode: (value) => AMF3.Value.any(value).serialize(),
    decode: (bytes) => AMF3.Value.deserialize(bytes).value,
  }),
};
for (const [name, operations] of Object.entries(RIVALS)) {
  if (name.startsWith("@astronautlabs")) loadRival("reflect-metadata");
  const library = loadRival(name);
  for (const [operation, call] of Object.entries(library === undefined ? {} : operations(library))) {
    const inputs = operation === "encode" ? values : messages;
    try {
      const result = call(inputs[0]);
      const carried = isDeepStrictEqual(operation === "encode" ? decode(result) : result, values[0]);
      const theirs = timed(call, inputs);
      const ratio = (median(theirs) / median(times[operation])).toFixed(1);
      console.log(
        `${name} ${operation}: ${shown(theirs)}, ${ratio} ×${carried ? "" : ", and another value"}`,
      );
    } catch (error) {
      console.log(`${name} ${operation}: fails on this value: ${error.message}`);
    }
  }
}
