// How much faster is a raw struct than protobufjs on the address book? That is the shape of the published claim, and
// the goal that our own codec is held to. Both in one run.
//
//   node benchmarks/raw-struct.js [quick|standard|thorough]
import { run } from "wirebench";
import { measuredCell, verdict } from "./support/verdict.js";

const LEAST = { encode: 3, decode: 3, access: 12 };

const record = await run({ codecs: ["protobufjs", "raw-struct"], profile: process.argv[2] ?? "standard" });
for (const [operation, least] of Object.entries(LEAST)) {
  const [protobuf, raw] = ["protobufjs", "raw-struct"].map(
    (codec) => measuredCell(record, operation, codec).nanos.median,
  );
  const ratio = protobuf / raw;
  verdict(`${operation}: protobufjs ${protobuf} ns, raw-struct ${raw} ns, ${ratio.toFixed(1)} ×`, ratio, {
    least,
  });
}
