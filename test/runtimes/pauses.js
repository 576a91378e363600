/** Runs in the runtime whose collections it watches, from dist/, and prints how long they and the work took, in nanoseconds. */
import process from "node:process";
import { proveHeapFigures, watch } from "../../dist/runtimes/node/memory/heap-watch.js";

const sink = {};
const fault = proveHeapFigures();
let nanos = 0;
const { pauses } = watch(() => {
  const start = performance.now();
  for (let i = 0; i < 1_000_000; i++) sink.value = { i, list: [i, i + 1, i + 2, i + 3] };
  nanos = (performance.now() - start) * 1e6;
});
process.stdout.write(JSON.stringify({ fault, pauses, nanos }));
