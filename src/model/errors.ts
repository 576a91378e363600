/**
 * Every error a user can cause or meet. Texts follow one form: `subject: what is wrong, expected X, got Y`.
 * Anything else that is thrown is a bug in wirebench.
 */

/** Base of all of them: `instanceof WirebenchError` tells an expected failure from a bug. */
export class WirebenchError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = new.target.name;
  }
}

/** A command line or an option that makes no sense. */
export class UsageError extends WirebenchError {}

/** A plugin, built-in or the user's, whose module cannot be loaded. */
export class PluginError extends WirebenchError {}

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
    super(path === "" ? problem : `${path}: ${problem}`);
    this.path = path;
    this.problem = problem;
  }
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
      details.path ? `at ${details.path}` : "",
      details.offset === undefined ? "" : `at byte ${details.offset}`,
    ].filter(Boolean);
    super(`${[format, ...place].join(" ")}: ${problem}`, { cause: details.cause });
    this.code = details.code ?? "corrupt";
    this.format = format;
    this.offset = details.offset;
    this.path = details.path;
  }
}

/** What kept a file from being read or written, from the error of a system call. */
export function fileProblem(error: unknown): string {
  const { code } = error as { code?: string };
  if (code === "ENOENT") return "no such file";
  return code === "EISDIR" ? "is a folder" : `cannot be read (${code})`;
}

/** Why a codec has no result: it says that it cannot carry the data, or it failed. */
export interface Refusal {
  readonly status: "unsupported" | "failed";
  readonly reason: string;
}

/** What an error that a codec throws means: unsupported where it says so, or where Node's own limits are met. */
export function refusal(error: unknown): Refusal {
  const reason = error instanceof Error ? error.message : String(error);
  if (isBeyondNode(error))
    return { status: "unsupported", reason: `a message too large for Node: ${reason}` };
  return { status: saysUnsupported(error) ? "unsupported" : "failed", reason };
}

/** By its name too: a plugin may have the class from a copy of wirebench that is installed beside it. */
function saysUnsupported(error: unknown): boolean {
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
