/** Erlang/OTP as a reference: one process for many terms. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

const script = path.join(import.meta.dirname, "otp.escript");

/** A term that Erlang is to read and write again. */
export interface Question {
  readonly bytes: Uint8Array;
  readonly minorVersion?: 0 | 1 | 2;
  readonly compressed?: number | undefined;
}

/** What Erlang wrote; undefined where it did not read it. */
export interface Answer {
  readonly bytes: Buffer;
  /** Whether the option `deterministic` makes no difference to the term. */
  readonly always: boolean;
}

/** Each term, read and written again with `deterministic`. */
export function recode(questions: readonly Question[]): (Answer | undefined)[] {
  const frames = questions.map(({ bytes, minorVersion = 1, compressed = 255 }) => {
    const head = Buffer.alloc(6);
    head.writeUInt32BE(bytes.length + 2);
    head.set([minorVersion, compressed], 4);
    return Buffer.concat([head, bytes]);
  });
  return inFolder((folder) => {
    const [input, output] = [path.join(folder, "in"), path.join(folder, "out")];
    writeFileSync(input, Buffer.concat(frames));
    return run(["recode", input, output], output);
  });
}

/** Random terms that Erlang made and wrote. */
export function randomTerms(count: number, seed: number): Buffer[] {
  const answers = inFolder((folder) => {
    const output = path.join(folder, "out");
    return run(["random", String(count), String(seed), output], output);
  });
  return answers.map((answer) => answer!.bytes);
}

function inFolder<Result>(work: (folder: string) => Result): Result {
  const folder = mkdtempSync(path.join(tmpdir(), "wirebench-otp-"));
  try {
    return work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function run(args: string[], output: string): (Answer | undefined)[] {
  execFileSync("escript", [script, ...args], { stdio: ["ignore", "pipe", "pipe"] });
  const bytes = readFileSync(output);
  const answers: (Answer | undefined)[] = [];
  for (let at = 0; at < bytes.length; ) {
    const end = at + 4 + bytes.readUInt32BE(at);
    const verdict = bytes[at + 4];
    answers.push(verdict === 0 ? undefined : { bytes: bytes.subarray(at + 5, end), always: verdict === 2 });
    at = end;
  }
  return answers;
}
