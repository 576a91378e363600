import os from "node:os";
import type { Environment } from "../model/records/run.ts";
import { ownRuntime } from "../model/runtime.ts";
import { EXEC_ARGV } from "../runtimes/launch/child-process.ts";
import { systemText } from "../runtimes/node/system-file.ts";

/**
 * Where this run is made. What this system does not tell is null.
 * @param flags of measuring processes in the runtime that wirebench is run with
 */
export function environment(flags?: readonly string[]): Environment {
  const runtime = ownRuntime();
  return {
    cpu: {
      model: os.cpus()[0]?.model.trim() ?? "unknown",
      cores: os.availableParallelism(),
      governor: firstLine("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor"),
    },
    memoryBytes: os.totalmem(),
    os: { platform: os.platform(), release: os.release(), arch: os.arch() },
    runtime: { ...runtime, execArgv: runtime.name === "node" ? (flags ?? EXEC_ARGV) : process.execArgv },
    load: os.loadavg().map((load) => Math.round(load * 100) / 100),
    clocksource: firstLine("/sys/devices/system/clocksource/clocksource0/current_clocksource"),
  };
}

function firstLine(file: string): string | null {
  return systemText(file)?.split("\n")[0] ?? null;
}
