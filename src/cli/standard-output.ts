/** Standard output is for the answer, whole, and for nothing else. */
import { writeSync } from "node:fs";
import { Socket } from "node:net";
import { UsageError } from "../model/errors.ts";

const stream: NodeJS.WriteStream & { readonly fd: number } = process.stdout;
const write = stream.write.bind(stream);

/** Sends what anybody else prints, such as a plugin with console.log, to standard error. */
export function reserveStandardOutput(): void {
  stream.write = process.stderr.write.bind(process.stderr);
}

/** Writes to standard output. Throws UsageError where a file cannot take it. */
export function print(output: string | Uint8Array): void {
  // Pipes and terminals report their errors as events, of which main.ts knows.
  if ((stream as unknown) instanceof Socket) {
    write(output);
    return;
  }
  // For a file, Node's stream takes a part that was written for the whole, as where the disk is full.
  const bytes = Buffer.from(output);
  try {
    for (let at = 0; at < bytes.length; ) at += writeSync(stream.fd, bytes, at);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new UsageError(`standard output: cannot be written to (${code})`, { cause: error });
  }
}

/** Calls back once everything was written. */
export function whenPrinted(done: () => void): void {
  write("", () => done());
}
