/** Runs the built command line: in this process, and in one of its own where that matters. */
import { spawn, spawnSync } from "node:child_process";
import path from "node:path";
import { main } from "../../dist/cli/program.js";

export const BIN = path.join(import.meta.dirname, "../../bin/wirebench.js");

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly bytes: Buffer;
}

/** Runs one command in this process, without a terminal, or as if there were one for all that it writes. @param width its columns */
export async function wirebench(args: readonly string[], terminal = false, width?: number): Promise<Ended> {
  const printed: Buffer[] = [];
  let stderr = "";
  const code = await main(args, {
    print: (output) => {
      printed.push(Buffer.from(output));
    },
    tell: (text) => {
      stderr += text;
    },
    isShown: () => terminal,
    columns: () => undefined,
    width: () => width,
    size: () => undefined,
    isColoured: () => false,
  });
  const bytes = Buffer.concat(printed);
  return { code, stdout: bytes.toString(), stderr, bytes };
}

/** Runs one command in a process of its own: for what only a process has, such as standard input and an exit code. */
export function spawned(
  args: readonly string[],
  options: { input?: string | Uint8Array; cwd?: string; env?: NodeJS.ProcessEnv } = {},
): Ended {
  const { status, stdout, stderr } = spawnSync(process.execPath, [BIN, ...args], {
    ...options,
    maxBuffer: 1 << 28,
  });
  return { code: status, stdout: stdout.toString(), stderr: stderr.toString(), bytes: stdout };
}

/** Runs one command in a process of its own, and interrupts it and all that it started, as Ctrl-C does, once its standard error says so. */
export function interrupted(
  args: readonly string[],
  when: (stderr: string) => boolean,
): Promise<{ code: number | null; stdout: string; stderr: string }> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [BIN, ...args], { detached: true });
    let [stdout, stderr] = ["", ""];
    child.stdout.on("data", (chunk) => {
      stdout += chunk;
    });
    child.stderr.on("data", (chunk) => {
      const before = when(stderr);
      stderr += chunk;
      // Once: a second one ends the process at once.
      if (!before && when(stderr)) process.kill(-child.pid!, "SIGINT");
    });
    child.on("close", (code) => resolve({ code, stdout, stderr }));
  });
}
