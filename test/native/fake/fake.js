#!/usr/bin/env node
// A reference program of JSON that does what the variant of its system says.
import { readFileSync } from "node:fs";

const say = (message) => process.stdout.write(`${JSON.stringify(message)}\n`);
const { system = "", values = [], operations = [] } = JSON.parse(readFileSync(0, "utf8"));
const variant = system.split(":")[1] ?? "";

say({ hello: { protocol: 1, language: "Fake", compiler: "fakec 3.2.1", libraries: { json: "1.2.3" } } });
if (system === "") process.exit();
if (variant === "crashes") {
  process.stderr.write("first line\nsegments overlap\n");
  process.kill(process.pid, "SIGABRT");
  await new Promise(() => {});
}
if (variant === "exits") {
  process.stderr.write("no such thing here\n");
  process.exit(3);
}
if (variant === "prints") {
  process.stderr.write("printing instead\n");
  process.stdout.write("hello, world\n");
}
if (variant === "hangs") {
  process.stderr.write("waiting for ever\n");
  setInterval(() => {}, 1000);
  await new Promise(() => {});
}

const encoded = values.map((value) => Buffer.from(JSON.stringify(value)));
if (variant === "other-bytes") encoded[1][7] ^= 1;
if (variant === "silent") process.exit();
for (const operation of operations) {
  const folds = encoded.map((bytes) => bytes.length + bytes.at(-1) + bytes[bytes.length >> 1]);
  if (variant === "other-folds") folds[0] += 1;
  const batches = 20;
  const warmUp = { calls: [1, 2, 4], core: [1e5, 1e5, 1e5] };
  const calls = batches * 8 + 7;
  let sum = 0;
  for (let i = 0; i < calls; i++) sum = (sum + folds[i % folds.length]) | 0;
  if (variant === "other-sum") sum ^= 1;
  const same = (length, nanos) => Array.from({ length }, (_, i) => nanos + i);
  const times = { core: same(batches, 80_000), wall: same(batches, 90_000), probes: same(batches + 1, 1500) };
  if (variant === "no-times") times.wall.pop();
  if (variant === "slow") times.probes.fill(4000, 10);
  const about = { turns: 1024, loop: 0.5, first: 9000, clock: "thread-cpu", clockStep: 1 };
  say({ measured: { operation, batchCalls: 8, ...times, ...about, warmUp, folds, calls, sum } });
}
say({ proof: { encoded: encoded.map((bytes) => bytes.toString("base64")) } });
