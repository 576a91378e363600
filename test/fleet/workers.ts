/** Starts workers as processes of their own, for tests that kill them. */
import { type ChildProcess, spawn } from "node:child_process";
import path from "node:path";
import { BIN } from "../cli/wirebench.ts";

/** A worker that runs. */
export interface StartedWorker {
  readonly process: ChildProcess;
  /** All that it has said. */
  said(): string;
  /** Resolves once it has said that; throws where it ends before. */
  until(pattern: RegExp): Promise<RegExpExecArray>;
  /** Resolves with its exit code. */
  readonly ended: Promise<number | null>;
}

const running = new Set<ChildProcess>();
process.once("exit", killAll);

/** Ends all that are left of a test. */
export function killAll(): void {
  for (const child of running) child.kill("SIGKILL");
}

/** @param cpu model that it takes its processor to be of: one with another fingerprint */
export function startWorker(
  address: string,
  { args = [], cpu }: { args?: string[]; cpu?: string } = {},
): StartedWorker {
  const other = `--import ${path.join(import.meta.dirname, "other-cpu.js")}`;
  const child = spawn(process.execPath, [BIN, "work", "--nats", address, ...args], {
    stdio: ["ignore", "ignore", "pipe"],
    env: { ...process.env, ...(cpu === undefined ? {} : { NODE_OPTIONS: other, TEST_CPU: cpu }) },
  });
  running.add(child);
  let said = "";
  const listeners = new Set<() => void>();
  const ended = new Promise<number | null>((resolve) => {
    child.on("close", (code) => {
      running.delete(child);
      resolve(code);
      for (const listener of listeners) listener();
    });
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    said += text;
    for (const listener of listeners) listener();
  });
  return {
    process: child,
    said: () => said,
    ended,
    until: (pattern) =>
      new Promise((resolve, reject) => {
        const look = (): void => {
          const found = pattern.exec(said);
          if (found !== null) resolve(found);
          else if (!running.has(child)) reject(new Error(`it ended without ${pattern}: ${said}`));
          else return;
          listeners.delete(look);
        };
        listeners.add(look);
        look();
      }),
  };
}
