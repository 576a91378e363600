// How long does `wirebench run` take, and how much memory does the process that coordinates it use at most? The
// memory is Linux's high-water mark of resident pages.
//
//   node benchmarks/main-job.js [quick|standard]
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { verdict } from "./support/verdict.js";

const MOST_SECONDS = { quick: 25, standard: 90 };
const MOST_MEGABYTES = 150;
const profile = process.argv[2] ?? "standard";

const scratch = mkdtempSync(path.join(os.tmpdir(), "wirebench-main-job-"));
const program = path.join(import.meta.dirname, "../bin/wirebench.js");
const from = performance.now();
const child = spawn(
  process.execPath,
  [program, "run", "--profile", profile, "--out", path.join(scratch, "run")],
  {
    stdio: "ignore",
  },
);
let megabytes = 0;
const watch = setInterval(() => {
  megabytes = highWaterMark(child.pid) ?? megabytes;
}, 50);
const [code] = await once(child, "exit");
clearInterval(watch);
const seconds = (performance.now() - from) / 1000;
rmSync(scratch, { recursive: true });
if (code !== 0) throw new Error(`wirebench run exited with ${code}`);
verdict(`run --profile ${profile}: ${seconds.toFixed(1)} s`, seconds, { most: MOST_SECONDS[profile] });
if (megabytes > 0)
  verdict(`its coordinator: ${megabytes.toFixed(0)} MB`, megabytes, { most: MOST_MEGABYTES });

/** Undefined once the process has ended, and where there is no /proc. */
function highWaterMark(pid) {
  try {
    const [, kib] = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
    return kib === undefined ? undefined : (Number(kib) * 1024) / 1e6;
  } catch {
    return undefined;
  }
}
