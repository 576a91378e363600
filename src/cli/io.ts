import { writeSync } from "node:fs";
import { Socket } from "node:net";
import { UsageError } from "../model/errors.ts";
import { withoutLogin } from "../model/without-login.ts";

/** What the process's exit code says. */
export const EXIT = {
  /** All measured, or declared unsupported. */
  ok: 0,
  /** A cell failed. */
  failed: 1,
  /** A command line or an input that makes no sense. */
  usage: 2,
  /** What was asked cannot be told from what was measured. */
  undecided: 3,
  /** An error that nothing expects, of wirebench or of a plugin: EX_SOFTWARE of sysexits.h. */
  unexpected: 70,
  /** Stopped by Ctrl-C: 128 + SIGINT. */
  interrupted: 130,
} as const;

/** Where a command line is answered: in a process on its standard streams, in a test wherever that likes. */
export interface Io {
  /** Writes a part of the answer, which has standard output for itself. Throws UsageError where it cannot be written. */
  print(output: string | Uint8Array): void;
  /** Writes what is no answer to standard error: progress, warnings, errors. */
  tell(text: string): void;
  /** Whether both `print` and `tell` write to a terminal: who sees the one sees the other. */
  isShown(): boolean;
  /** Columns of the terminal that `tell` writes to; undefined where it is none, or has no lines that change. */
  columns(): number | undefined;
  /** Columns of the terminal that `print` writes to; undefined, or absent, where it is none. */
  width?(): number | undefined;
  /** Columns and rows of the terminal that `tell` writes to, likewise. */
  size(): { readonly columns: number; readonly rows: number } | undefined;
  /** Whether colours are wanted there. */
  isColoured(): boolean;
}

/** An {@link Io}, and the command that is answered there. */
export interface Invocation extends Required<Io> {
  /** As it was typed, quoted so that it can be pasted into a shell, without a password in an address. */
  readonly command: string;
}

/** Takes what a command answers: its exit code, or nothing where all went well. */
export type Done = (answered: Promise<number> | Promise<void>) => Promise<void>;

/** What a command is called with. @param args the words after `wirebench` */
export function invocation(args: readonly string[], io: Io): Invocation {
  const command = shellLine(["wirebench", ...args.map(withoutLogin)]);
  return {
    command,
    print: (output) => io.print(output),
    tell: (text) => io.tell(text),
    isShown: () => io.isShown(),
    columns: () => io.columns(),
    width: () => io.width?.(),
    size: () => io.size(),
    isColoured: () => io.isColoured(),
  };
}

/** Words as a line that can be pasted into a shell. */
export function shellLine(words: readonly string[]): string {
  return words.map(quoted).join(" ");
}

function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}

/** {@link Io} of this process, and a way to wait for it. */
export interface ProcessIo extends Io {
  /** Calls back once everything was written. */
  whenPrinted(done: () => void): void;
}

/** Standard output and error. What anybody else prints, such as a plugin with console.log, goes to standard error. */
export function processIo(): ProcessIo {
  const { stdout, stderr } = process;
  const write = stdout.write.bind(stdout);
  const size = (): ReturnType<Io["size"]> =>
    stderr.isTTY && process.env["TERM"] !== "dumb"
      ? { columns: stderr.columns || 80, rows: stderr.rows || 24 }
      : undefined;
  stdout.write = stderr.write.bind(stderr);
  return {
    print(output) {
      const bytes = Buffer.from(output);
      if (!((stdout as unknown) instanceof Socket)) writeFully(stdout.fd, bytes);
      // Pipes and terminals report their errors as events, of which main.ts knows.
      else for (let at = 0; at < bytes.length; at += PART) write(bytes.subarray(at, at + PART));
    },
    tell: (text) => {
      stderr.write(text);
    },
    isShown: () => stdout.isTTY === true && stderr.isTTY === true,
    columns: () => size()?.columns,
    width: () => (stdout.isTTY ? stdout.columns || 80 : undefined),
    size,
    isColoured: () => size() !== undefined && !process.env["NO_COLOR"],
    whenPrinted: (done) => {
      write("", () => done());
    },
  };
}

/** Bytes that are written to a pipe at once: of a gigabyte Linux refuses the rest. */
const PART = 1 << 20;

/** For a file, Node's stream takes a part that was written for the whole, as where the disk is full. */
function writeFully(fd: number, bytes: Buffer): void {
  try {
    for (let at = 0; at < bytes.length; ) at += writeSync(fd, bytes, at);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new UsageError(`standard output: cannot be written to (${code})`, { cause: error });
  }
}
