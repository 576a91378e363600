import {
  closeSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  writeSync,
} from "node:fs";
import path from "node:path";
import { fileProblem, UsageError } from "../model/errors.ts";
import { isRecord } from "../model/value.ts";
import { parseJson } from "../schema/values/json-source.ts";
import { readSchema, SchemaCheck } from "./schema-check.ts";

/** The file beside run.json while a run goes on: what its record is made of, a line of JSON for each process. */
export const JOURNAL = "journal.ndjson";

/**
 * The journal of a run that goes on. What is appended survives the end of this process, however it ends; it is not
 * synced to the disk, so that a machine that loses power may lose the last lines.
 */
export class Journal {
  readonly #file: string;
  #descriptor: number | undefined;
  /** Bytes of whole lines in the file. */
  #length = 0;
  /** Lines that are not in the file yet, or only in part. */
  #pending = "";

  constructor(folder: string) {
    this.#file = path.join(folder, JOURNAL);
  }

  /** Makes the file, before there is anything to write: only one run can. What the system says is thrown as it is. */
  open(): void {
    // Never one that is there: it is all that is left of another run.
    this.#descriptor ??= openSync(this.#file, "wx");
  }

  /** Adds a line, and those that could not be written before. What the system says is thrown as it is. */
  append(line: object): void {
    this.#pending += `${JSON.stringify(line)}\n`;
    this.open();
    const descriptor = this.#descriptor!;
    const bytes = Buffer.from(this.#pending);
    let written = 0;
    while (written < bytes.length) {
      written += writeSync(descriptor, bytes, written, bytes.length - written, this.#length + written);
    }
    this.#length += written;
    this.#pending = "";
  }

  /** Removes the file, once the record is written. */
  remove(): void {
    if (this.#descriptor === undefined) return;
    closeSync(this.#descriptor);
    this.#descriptor = undefined;
    rmSync(this.#file, { force: true });
  }
}

/** What a journal holds. */
export interface JournalContent {
  /** The first line, and those after it, each as its type in `suite/journal.ts` has it. */
  readonly header: unknown;
  readonly entries: readonly unknown[];
  /** The process that still writes it, if there is one. */
  readonly writer: number | undefined;
  /** Set where the last line is cut off and left out: where it is. */
  readonly cutOff: string | undefined;
}

/** Reads the journal in a folder. Throws UsageError with the place of a line that is not what it should be. */
export function readJournal(folder: string): JournalContent {
  const file = path.join(folder, JOURNAL);
  const lines = textOf(file).split("\n");
  // After the last line break there is nothing, or what a process was writing when it was killed.
  const last = lines.pop() ?? "";
  const values = lines.map((line, index) => parsedLine(line, `${file}:${index + 1}`));
  const torn = parseJson(last);
  if (last !== "" && !("problem" in torn)) values.push(torn.value);
  const found = journalProblem(values);
  if (found !== undefined) throw new UsageError(`${file}:${found.line}: damaged journal: ${found.problem}`);
  const [header, ...entries] = values;
  if (header === undefined) {
    throw new UsageError(`${file}: nothing was measured before the run was killed: the file can be deleted`);
  }
  const { pid } = header as { readonly pid: number };
  const cutOff = last !== "" && "problem" in torn ? `${file}:${lines.length + 1}` : undefined;
  return { header, entries, writer: isWriting(pid, file) ? pid : undefined, cutOff };
}

/** The first line of a journal, counted from 1, that is not what it should be, and why; undefined if none is. */
export function journalProblem(
  lines: readonly unknown[],
): { readonly line: number; readonly problem: string } | undefined {
  const kinds = readSchema("run-journal");
  const checks = new Map<string, SchemaCheck>();
  for (const [index, value] of lines.entries()) {
    const kind = index === 0 ? "JournalHeader" : kindOf(value);
    const check = checks.get(kind) ?? new SchemaCheck({ ...kinds, $ref: `#/$defs/${kind}` });
    checks.set(kind, check);
    const problem = check.problem(value);
    if (problem !== undefined) return { line: index + 1, problem };
  }
  return undefined;
}

/** Which type a line has, by the field that no other has. */
function kindOf(line: unknown): string {
  if (!isRecord(line)) return "ProcessEntry";
  if ("completedBlock" in line) return "BlockEntry";
  return "finishedAt" in line ? "EndEntry" : "ProcessEntry";
}

function parsedLine(line: string, at: string): unknown {
  const parsed = parseJson(line);
  if ("problem" in parsed) throw new UsageError(`${at}:${parsed.column}: damaged journal: ${parsed.problem}`);
  return parsed.value;
}

function textOf(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    throw new UsageError(`${file}: ${fileProblem(error)}`);
  }
}

/** Whether a process has a file open. Its number may be another's by now; where the system does not tell, it is not. */
function isWriting(pid: number, file: string): boolean {
  if (pid === process.pid) return false;
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EPERM") return false;
  }
  try {
    const [open, real] = [`/proc/${pid}/fd`, realpathSync(file)];
    return readdirSync(open).some((descriptor) => linkOf(path.join(open, descriptor)) === real);
  } catch {
    return true;
  }
}

/** Where a link leads; undefined where it is gone. */
function linkOf(file: string): string | undefined {
  try {
    return readlinkSync(file);
  } catch {
    return undefined;
  }
}
