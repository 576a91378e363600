import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import os from "node:os";
import path from "node:path";
import { systemProblem, UsageError } from "../model/errors.ts";
import type { ClaimsRecord } from "../model/records/claims.ts";
import type { DoctorRecord } from "../model/records/doctor.ts";
import type { RunRecord } from "../model/records/run.ts";
import { renderJson } from "../reports/any/json.ts";
import { renderClaimsMarkdown } from "../reports/claims/markdown.ts";
import { renderDoctorMarkdown } from "../reports/doctor/markdown.ts";
import { renderPage } from "../reports/page/page.ts";
import { claimsPicture, PLOTS, picturesOf } from "../reports/picture.ts";
import { renderMarkdown } from "../reports/run/markdown.ts";
import { JOURNAL, Journal } from "./journal.ts";

/** A folder with the record and the report of one run. With those beside it, the only one that writes results. */
export class ResultFolder {
  readonly path: string;
  readonly #journal: Journal;
  /** Pictures of the record that was saved last. */
  #pictures: readonly string[] = [];

  /**
   * Makes the folder, and takes it for one run: no other one can, and what an earlier one or the user left is never overwritten.
   * A run that cannot be kept should not begin. Throws UsageError.
   * @param folder one without results and pictures; by default a new one in the working directory, `results/<UTC time>-<host>`
   * @param names of the files that are going to be in it
   * @param claim file that the run makes first, by which two runs know of each other
   */
  constructor(folder?: string, names: readonly string[] = [RECORD, REPORT, PAGE], claim: string = JOURNAL) {
    if (folder === "") throw new UsageError("no folder for the results: expected its name, got nothing");
    this.path = folder ?? newFolder();
    this.#journal = new Journal(this.path);
    try {
      makeFolder(path.resolve(this.path));
    } catch (error) {
      throw unwritable(this.path, error);
    }
    for (const name of names) {
      const file = path.join(this.path, name);
      if (statSync(file, { throwIfNoEntry: false })?.isDirectory() === true) {
        throw new UsageError(`${file}: cannot be written to (EISDIR)`);
      }
    }
    this.#take(claim, names);
  }

  /** The claim comes first: whoever ends between the two looks leaves results behind before it gives up its claim. */
  #take(claim: string, names: readonly string[]): void {
    const file = path.join(this.path, claim);
    try {
      if (claim === JOURNAL) this.#journal.open();
      else closeSync(openSync(file, "wx"));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw unwritable(this.path, error);
      throw claim === JOURNAL ? unfinished(this.path) : takenBy(file);
    }
    removeAtExit(file);
    try {
      const other = [...RESULTS, ...names].find(
        (name) => name !== claim && existsSync(path.join(this.path, name)),
      );
      if (other !== undefined) throw takenBy(path.join(this.path, other));
      if (claim !== JOURNAL && holdsJournal(this.path)) throw unfinished(this.path);
      expectNoPictures(this.path);
    } catch (error) {
      if (claim === JOURNAL) this.#journal.remove();
      else rmSync(file);
      throw error;
    }
  }

  /** Adds a line to the run's journal: what is measured is kept, whatever becomes of this process. Throws UsageError. */
  append(line: object): void {
    try {
      this.#journal.append(line);
    } catch (error) {
      throw unwritable(path.join(this.path, JOURNAL), error);
    }
  }

  /**
   * Writes run.json, report.html, report.md and its pictures, and removes the run's journal. Whoever reads them meanwhile sees the
   * old or the new, never a half. Throws UsageError.
   */
  save(record: RunRecord): void {
    this.#pictures = saveRun(this.path, record, this.#pictures);
    this.#journal.remove();
  }

  /** Writes doctor.json and report.md. Throws UsageError. */
  saveExamination(record: DoctorRecord): void {
    this.replace(EXAMINATION, renderJson(record));
    this.replace(REPORT, renderDoctorMarkdown(record));
  }

  /** Writes run.json, report.md and its chart. Throws UsageError. */
  saveClaims(record: ClaimsRecord): void {
    const pictures = claimsPicture(record);
    this.replace(RECORD, renderJson(record));
    for (const { file, svg } of pictures) this.replace(file, svg);
    this.replace(REPORT, renderClaimsMarkdown(record, pictures));
  }

  /** Writes a file of the folder, or of a folder in it, in one step. Throws UsageError. */
  replace(name: string, text: string): void {
    replaceFile(this.path, name, text);
  }
}

function unfinished(folder: string): UsageError {
  return new UsageError(
    `${folder}: it holds the journal of a run that did not end: "wirebench report ${folder}" makes its record, or delete ${path.join(folder, JOURNAL)}`,
  );
}

function takenBy(file: string): UsageError {
  return new UsageError(
    `${file}: there are results of another run, which are not overwritten: expected another folder, or one without them`,
  );
}

/** Claims of this process. */
const claims = new Set<string>();

/** Removes a claim when this process ends, if nothing was written there: a run that was refused leaves none. */
function removeAtExit(claim: string): void {
  if (claims.size === 0) {
    process.once("exit", () => {
      for (const file of claims)
        if (statSync(file, { throwIfNoEntry: false })?.size === 0) rmSync(file, { force: true });
    });
  }
  claims.add(path.resolve(claim));
}

/** Whether a path is that of a folder. */
export function isFolder(source: string): boolean {
  return statSync(source, { throwIfNoEntry: false })?.isDirectory() === true;
}

/** The file of a run's record: of a folder its run.json. Throws UsageError for a folder whose run did not end. */
export function recordFile(source: string): string {
  if (!isFolder(source)) return source;
  if (holdsJournal(source)) throw unfinished(source);
  return path.join(source, RECORD);
}

/** Whether a folder holds the journal of a run that goes on, or was killed. */
export function holdsJournal(folder: string): boolean {
  return existsSync(path.join(folder, JOURNAL));
}

/** Makes the record that was recovered from a folder's journal its record, and removes the journal. Throws UsageError. */
export function saveRecovered(folder: string, record: RunRecord): void {
  saveRun(folder, record);
  rmSync(path.join(folder, JOURNAL));
}

/**
 * Writes the files of a record. Returns its pictures.
 * @param earlier pictures of the record that is replaced, which would be taken for those of the new one
 */
function saveRun(folder: string, record: RunRecord, earlier: readonly string[] = []): string[] {
  replaceFile(folder, RECORD, renderJson(record));
  const pictures = picturesOf(record);
  removeFiles(folder, earlier);
  for (const { file, svg } of pictures) replaceFile(folder, file, svg);
  replaceFile(folder, REPORT, renderMarkdown(record, pictures));
  replaceFile(folder, PAGE, renderPage(record));
  return pictures.map(({ file }) => file);
}

/** Throws UsageError. */
function removeFiles(folder: string, names: readonly string[]): void {
  for (const name of names) {
    const file = path.join(folder, name);
    try {
      rmSync(file, { force: true });
    } catch (error) {
      throw unwritable(file, error);
    }
  }
}

/** Pictures that are there before a run are the user's, or of another run. Throws UsageError. */
function expectNoPictures(folder: string): void {
  const pictures = path.join(folder, PLOTS);
  if (!existsSync(pictures)) return;
  let found: string | undefined;
  try {
    found = readdirSync(pictures).find((name) => name.endsWith(".svg"));
  } catch (error) {
    throw unwritable(pictures, error);
  }
  if (found !== undefined) {
    throw new UsageError(
      `${path.join(pictures, found)}: a run does not write beside other pictures: expected another folder, or one without them`,
    );
  }
}

function replaceFile(folder: string, name: string, text: string): void {
  const file = path.join(folder, name);
  const fresh = `${file}.new`;
  try {
    const inner = path.dirname(file);
    if (path.dirname(name) !== "." && !existsSync(inner)) mkdirSync(inner);
    writeFileSync(fresh, text);
    renameSync(fresh, file);
  } catch (error) {
    rmSync(fresh, { force: true });
    throw unwritable(file, error);
  }
}

/** Names of the files that every run has. */
export const RECORD = "run.json";
export const REPORT = "report.md";

/** That of the report as a page. */
export const PAGE = "report.html";

/** That of the record of an examination of a machine. */
export const EXAMINATION = "doctor.json";

/** That of the messages of a run between processes. */
export const MESSAGES = "messages.csv";

/** What tells that a folder has the results of a run. */
const RESULTS = [RECORD, REPORT, PAGE, EXAMINATION, MESSAGES];

/** Makes a folder and those above it. Node 20's own `recursive` never ends where one cannot be made, as in /proc. */
function makeFolder(folder: string): void {
  try {
    mkdirSync(folder);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "EEXIST" && statSync(folder).isDirectory()) return;
    if (code !== "ENOENT" || path.dirname(folder) === folder) throw error;
    makeFolder(path.dirname(folder));
    mkdirSync(folder);
  }
}

/** Runs that may begin in one second. */
const MAX_FOLDERS = 1000;

/** A folder that no other run has, also where two begin in the same second. */
function newFolder(): string {
  const base = path.join("results", `${timeStamp(new Date())}-${hostName()}`);
  for (let i = 1; ; i++) {
    const folder = i === 1 ? base : `${base}-${i}`;
    try {
      makeFolder(path.resolve(path.dirname(folder)));
      mkdirSync(folder);
      return folder;
    } catch (error) {
      // "results" itself may be a file: then it is in the way of every name.
      if (i === MAX_FOLDERS || (error as NodeJS.ErrnoException).code !== "EEXIST")
        throw unwritable(folder, error);
    }
  }
}

/** What says that a file or folder cannot be written to. */
export function unwritable(folder: string, error: unknown): UsageError {
  return new UsageError(`${folder}: cannot be written to ${systemProblem(error)}`, { cause: error });
}

/** `2026-11-20T12-30-05Z`: sorts by time, and stands in a file name everywhere. */
function timeStamp(date: Date): string {
  return date.toISOString().replace(/\.\d+/, "").replaceAll(":", "-");
}

function hostName(): string {
  return os.hostname().replace(/[^A-Za-z0-9-]+/g, "-") || "host";
}
