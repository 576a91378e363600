/** Cores that a measuring process is pinned to. */
import { execFileSync } from "node:child_process";
import { UsageError } from "../../model/errors.ts";
import { systemText } from "../node/system-file.ts";

/**
 * The last cores of those that this process may use, so many of them: systems give their own work to the first ones. Throws UsageError where there
 * are not as many, and where the system cannot pin a process.
 */
export function coresToPin(count: number): number[] {
  const allowed = allowedCores(systemText("/proc/self/status") ?? "");
  if (allowed === undefined) throw new UsageError("cores: only Linux pins a process to cores");
  if (count > allowed.length) {
    throw new UsageError(
      `cores: expected at most ${allowed.length}, which this process may use, got ${count}`,
    );
  }
  try {
    execFileSync("taskset", ["--version"], { stdio: "ignore" });
  } catch {
    throw new UsageError(
      "cores: expected the program taskset (of util-linux) in the PATH, which is not there",
    );
  }
  return allowed.slice(-count);
}

/** The cores in a text like `/proc/self/status` (proc_pid_status(5)), as `0-3,6`; undefined where it names none. */
export function allowedCores(status: string): number[] | undefined {
  const list = /^Cpus_allowed_list:\s+([\d,-]+)$/m.exec(status)?.[1];
  return list?.split(",").flatMap((range) => {
    const [first = 0, last = first] = range.split("-").map(Number);
    return Array.from({ length: last - first + 1 }, (_, i) => first + i);
  });
}

/** A command that runs on these cores only; as it is where there are none. */
export function pinned(cores: readonly number[] | undefined, command: readonly string[]): readonly string[] {
  return cores === undefined ? command : ["taskset", "--cpu-list", cores.join(","), ...command];
}
