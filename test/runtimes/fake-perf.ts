import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";

/** What a program does that answers as perf does, and prints that a million was counted at each start. */
export const ANSWERING = `
trap 'echo "1000000;;instructions:u;1;100.00;;" >&2; echo "500000;;cycles:u;1;100.00;;" >&2; exit' INT
while read -r command <&3; do printf 'ack\\n\\0' >&4; done`;

/** perf polls its commands; the shell waits for them, by a descriptor that is opened anew. */
const BLOCKING = "exec 3</proc/self/fd/3";

/** Runs some work with a program of the shell in the PATH that is called perf. */
export async function withFakePerf<T>(script: string, work: (program: string) => T | Promise<T>): Promise<T> {
  const folder = mkdtempSync(path.join(os.tmpdir(), "wirebench-fake-"));
  const program = path.join(folder, "perf");
  const before = process.env["PATH"];
  try {
    writeFileSync(program, `#!/bin/sh\n${BLOCKING}\n${script}\n`);
    chmodSync(program, 0o755);
    process.env["PATH"] = `${folder}:${before}`;
    return await work(program);
  } finally {
    process.env["PATH"] = before;
    rmSync(folder, { recursive: true, force: true });
  }
}
