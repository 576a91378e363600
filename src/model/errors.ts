/**
 * Every error a user can cause or meet. Texts follow one form: `subject: what is wrong, expected X, got Y`.
 * Anything else that is thrown is a bug in wirebench.
 */

import { errorLine } from "./one-line.ts";

/** Base of all of them: `instanceof WirebenchError` tells an expected failure from a bug. */
export class WirebenchError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = new.target.name;
  }
}

/** A command line or an option that makes no sense. */
export class UsageError extends WirebenchError {}

/** What PluginErrors were thrown for. */
const told = new WeakSet<object>();

/** A plugin, built-in or the user's, whose module cannot be loaded. */
export class PluginError extends WirebenchError {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    const { cause } = this;
    if (typeof cause === "object" && cause !== null) told.add(cause);
  }
}

/**
 * Whether a rejection that nobody waits for is told by a PluginError. Node 20 rejects two promises with what a CommonJS module
 * throws that another module imports, and one of them is nobody's.
 */
export function isToldElsewhere(reason: unknown): boolean {
  return typeof reason === "object" && reason !== null && told.has(reason);
}

/** A library that does not come with wirebench, and is nowhere: of a codec, or what makes scripts for pages. */
export class NotInstalledError extends PluginError {}

/** A schema that cannot be read. */
export class SchemaError extends WirebenchError {
  readonly file: string;
  readonly line: number | undefined;
  readonly column: number | undefined;

  constructor(file: string, problem: string, place: Partial<Place> = {}, options?: ErrorOptions) {
    const parts = [place.file ?? file, place.line, place.column];
    super(`${parts.filter((part) => part !== undefined).join(":")}: ${problem}`, options);
    this.file = place.file ?? file;
    this.line = place.line;
    this.column = place.column;
  }
}

/** A place in a text file. */
export interface Place {
  readonly file: string;
  /** Counts from 1. */
  readonly line: number;
  /** Counts from 1, in UTF-16 units. */
  readonly column: number;
}

/** A value that does not fit its schema. `path` names the field, as in `info[3].age`. */
export class ValueError extends WirebenchError {
  readonly path: string;
  /** The text without the path. */
  readonly problem: string;

  constructor(path: string, problem: string) {
    super(path === "" ? problem : `${shortPath(path)}: ${problem}`);
    this.path = path;
    this.problem = problem;
  }
}

/** Characters of a path that an error shows, from its start and from its end. */
const SHOWN = 60;

/** A path as messages show it: of a long one its start and its end. */
export function shortPath(path: string): string {
  return path.length <= 2 * SHOWN ? path : `${path.slice(0, SHOWN)}…${path.slice(-SHOWN)}`;
}

/** A codec that cannot carry a dataset, with the reason. */
export class UnsupportedError extends WirebenchError {}

/** A codec that lost or changed the data. */
export class VerificationError extends WirebenchError {}

/** What went wrong with bytes from outside, for programs: `truncated`, `corrupt` or over a `limit`. */
export type DecodeProblem = "truncated" | "corrupt" | "limit" | "unsupported";

/** Bytes that are not a well-formed message of the format. */
export class DecodeError extends WirebenchError {
  /** What kind of damage. */
  readonly code: DecodeProblem;
  /** Wire format or codec that was reading. */
  readonly format: string;
  /** Byte offset at which the damage shows, where the format can tell. */
  readonly offset: number | undefined;
  /** Field at which the damage shows, where the format can tell: `info[3].name`. */
  readonly path: string | undefined;

  constructor(
    format: string,
    problem: string,
    details: { code?: DecodeProblem; offset?: number; path?: string; cause?: unknown } = {},
  ) {
    const place = [
      details.path ? `at ${shortPath(details.path)}` : "",
      details.offset === undefined ? "" : `at byte ${details.offset}`,
    ].filter(Boolean);
    super(`${[format, ...place].join(" ")}: ${problem}`, { cause: details.cause });
    this.code = details.code ?? "corrupt";
    this.format = format;
    this.offset = details.offset;
    this.path = details.path;
  }
}

/** What codes of system calls mean, in words. */
const SYSTEM_PROBLEMS: Readonly<Record<string, string>> = {
  EACCES: "that is not allowed",
  EBUSY: "somebody else uses it",
  EDQUOT: "the quota is used up",
  EEXIST: "there is a file of that name",
  EFBIG: "it would be too large",
  EISDIR: "it is a folder",
  ELOOP: "its links go round",
  EMFILE: "too many files are open (ulimit -n)",
  ENAMETOOLONG: "its name is too long",
  ENOENT: "a folder of its path is not there",
  ENFILE: "too many files are open",
  ENOSPC: "the disk is full",
  ENOTDIR: "a part of its path is a file",
  ENOTEMPTY: "it is not empty",
  EPERM: "that is not allowed",
  EROFS: "it can only be read from there",
};

/** The code of a system call's error, with words where it has some: `(ENOSPC): the disk is full`. */
export function systemProblem(error: unknown): string {
  const { code = "unknown" } = error as { code?: string };
  const words = SYSTEM_PROBLEMS[code];
  return words === undefined ? `(${code})` : `(${code}): ${words}`;
}

/** What kept a file from being read or written, from the error of a system call. */
export function fileProblem(error: unknown): string {
  const { code } = error as { code?: string };
  if (code === "ENOENT") return "no such file";
  return code === "EISDIR" ? "is a folder" : `cannot be read ${systemProblem(error)}`;
}

/** Why a codec has no result: it says that it cannot carry the data, or it failed. */
export interface Refusal {
  readonly status: "unsupported" | "failed";
  readonly reason: string;
}

/** Why a figure cannot be had in this runtime. */
export interface Unavailable {
  readonly unavailable: string;
}

/** An error in a line; one of a plugin's module is a sentence already, without the name of its class. */
export function reasonLine(error: unknown): string {
  return error instanceof PluginError ? error.message : errorLine(error);
}

/** What an error that a codec throws means: unsupported where it says so, or where Node's own limits are met. */
export function refusal(error: unknown): Refusal {
  const said = error instanceof Error ? error.message || error.name : errorLine(error);
  const reason = said.length > MOST_REASON ? `${said.slice(0, MOST_REASON)}…` : said;
  if (isBeyondNode(error))
    return { status: "unsupported", reason: `a message too large for Node: ${reason}` };
  return { status: saysUnsupported(error) || isBeyondCodec(error) ? "unsupported" : "failed", reason };
}

/** A value that has no place in the format, and a limit of whoever reads it. */
function isBeyondCodec(error: unknown): boolean {
  return error instanceof ValueError || (error instanceof DecodeError && error.code === "limit");
}

/** Most characters of a reason: a library may put a whole message into its error. */
const MOST_REASON = 500;

/** By its name too: a plugin may have the class from a copy of wirebench that is installed beside it. */
function saysUnsupported(error: unknown): boolean {
  // Code that is made of strings, where that is forbidden.
  if (error instanceof EvalError) return true;
  return (
    error instanceof Error && (error instanceof UnsupportedError || error.name === UnsupportedError.name)
  );
}

/** Limits of V8 and Node that no codec can do anything about: of the length of a string and of a buffer. */
function isBeyondNode(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code } = error as { code?: unknown };
  if (code === "ERR_STRING_TOO_LONG" || code === "ERR_BUFFER_TOO_LARGE") return true;
  return (
    error instanceof RangeError &&
    /^(Invalid string length|Array buffer allocation failed)/.test(error.message)
  );
}
