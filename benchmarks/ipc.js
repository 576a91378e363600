// How much does the way between processes cost where no codec does, and how long do the tests take?
//
//   node benchmarks/ipc.js                the transports alone, at 6.5 MB
//   node benchmarks/ipc.js suite          every test but stability, with the default codecs: about ten minutes
//   node benchmarks/ipc.js stability      20,000 messages of 6.5 MB with each default codec: about ten minutes
import { runIpc } from "wirebench";
import { verdict } from "./support/verdict.js";

const MOST_SUITE_MINUTES = 15;
const MOST_GROWTH_MB = 5;

const parts = { transports, suite, stability };
const part = process.argv[2] ?? "transports";
if (parts[part] === undefined)
  throw new Error(`usage: node benchmarks/ipc.js [${Object.keys(parts).join("|")}]`);
await parts[part]();

async function transports() {
  const measured = async (tests, transport) => {
    const record = await runIpc({ tests, codecs: ["ready-bytes"], transport });
    return { tests: record.tests.map(sound), memcpy: record.memcpy[0] };
  };
  const { tests: uds } = await measured(["latency", "throughput"], "uds");
  const [latency, { throughput }] = uds;
  const rate = throughput.encodedBytesPerSecond / 1e9;
  const share = (throughput.shareOfMemcpy * 100).toFixed(0);
  verdict(`uds, 6.5 MB: ${rate.toFixed(2)} GB/s at the receiver, ${share} % of memcpy`, rate, { least: 2 });
  const p50 = latency.stages.endToEnd.p50 / 1e6;
  verdict(`uds, 6.5 MB: p50 ${p50.toFixed(2)} ms`, p50, { most: 3 });

  const sab = await measured(["latency"], "sab");
  const copy = (sab.memcpy.bytes / sab.memcpy.bytesPerSecond) * 1e3;
  const way = sab.tests[0].stages.endToEnd.p50 / 1e6;
  const most = Number((2 * copy + 0.1).toFixed(3));
  verdict(`sab, 6.5 MB: p50 ${way.toFixed(3)} ms, where one memcpy takes ${copy.toFixed(3)} ms`, way, {
    most,
  });

  for (const transport of ["tcp", "shm", "fork", "worker"]) {
    const { endToEnd } = (await measured(["latency"], transport)).tests[0].stages;
    console.log(
      `        ${transport}, 6.5 MB: p50 ${(endToEnd.p50 / 1e6).toFixed(2)} ms, p90 ${(endToEnd.p90 / 1e6).toFixed(2)} ms`,
    );
  }
}

async function suite() {
  const tests = ["latency", "throughput", "one-to-two", "two-to-one", "single-point"];
  const from = performance.now();
  const record = await runIpc({ tests });
  record.tests.forEach(sound);
  const minutes = (performance.now() - from) / 60_000;
  verdict(`${tests.join(", ")}: ${minutes.toFixed(1)} min`, minutes, { most: MOST_SUITE_MINUTES });
}

async function stability() {
  const { tests } = await runIpc({ tests: ["stability"] });
  for (const test of tests.map(sound)) {
    const { codec, pairs, drift, processes } = test;
    const slope = `drift ${(drift.slopePer1000 / 1e3).toFixed(1)} µs per 1,000`;
    console.log(
      `        ${codec}: ${(pairs[0].totalMs / 1000).toFixed(0)} s for ${test.messages} messages, ${slope}`,
    );
    for (const { role, rssSamples } of processes) {
      const growth = growthPer1000(rssSamples);
      verdict(`${codec}, ${role}: memory grows by ${growth.toFixed(2)} MB per 1,000 messages`, growth, {
        most: MOST_GROWTH_MB,
      });
    }
  }
}

/** MB per 1,000 messages after the first 1,000: the slope of least squares. */
function growthPer1000(samples) {
  const late = samples.filter(({ messages }) => messages > 1000);
  const mean = (of) => late.reduce((sum, sample) => sum + of(sample), 0) / late.length;
  const [x, y] = [mean(({ messages }) => messages), mean(({ bytes }) => bytes)];
  const above = late.reduce((sum, { messages, bytes }) => sum + (messages - x) * (bytes - y), 0);
  return above / late.reduce((sum, { messages }) => sum + (messages - x) ** 2, 0) / 1e3;
}

function sound(test) {
  if (test.status !== "measured") throw new Error(`${test.test} ${test.codec}: ${test.reason}`);
  return test;
}
