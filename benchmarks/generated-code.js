// Is the code that wirebench generates at bind time as fast as that of the official generators? FlatBuffers against
// flatc's own TypeScript output, Cap'n Proto against a class written by hand, on the same runtime and in one run.
//
//   node benchmarks/generated-code.js [quick|standard|thorough]
import path from "node:path";
import { run } from "wirebench";
import { measuredCell, verdict } from "./support/verdict.js";

const PAIRS = [
  { ours: "flatbuffers", official: "flatc-generated" },
  { ours: "flatbuffers:object", official: "flatc-generated:object" },
  { ours: "capnp-ts", official: "capnp-handwritten" },
];
const LEAST = 0.95;

const record = await run({
  codecs: PAIRS.flatMap(({ ours, official }) => [ours, official]),
  plugins: ["flatc-generated.js", "capnp-handwritten.js"].map((name) =>
    path.join(import.meta.dirname, "plugins", name),
  ),
  profile: process.argv[2] ?? "standard",
});
for (const { ours, official } of PAIRS) {
  for (const operation of record.options.operations) {
    const [mine, theirs] = [ours, official].map(
      (codec) => measuredCell(record, operation, codec).nanos.median,
    );
    const speed = theirs / mine;
    verdict(
      `${operation}: ${ours} ${mine} ns, ${official} ${theirs} ns, speed ${speed.toFixed(2)} ×`,
      speed,
      {
        least: LEAST,
      },
    );
  }
}
