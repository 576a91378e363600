import { type JSONVisitor, type ParseError, parseTree, printParseErrorCode, visit } from "jsonc-parser";
import { withoutComments } from "./json-comments.ts";
import { readUnsafeIntegers, vanishedNumber } from "./json-integers.ts";
import { keysIn, keysInText } from "./json-scan.ts";

/** Where and why a text is not JSON. */
export interface JsonProblem {
  readonly problem: string;
  /** In UTF-16 units from 0. */
  readonly offset: number;
  /** Both count from 1. */
  readonly line: number;
  readonly column: number;
}

/** How JSON text is read. */
export interface JsonOptions {
  /** Whether comments, and a comma before a closing bracket, are left out. */
  readonly comments?: boolean;
  /** Whether inference has scanned it: then no key stands twice, and no number becomes zero. */
  readonly isScanned?: boolean;
}

/**
 * Reads JSON text that is not to lose anything: a key that stands twice in an object is a problem, as is a number that becomes
 * zero, and an integer that a number cannot hold is a bigint. A byte order mark is left out.
 */
export function readJson(
  given: string,
  options: JsonOptions = {},
): { readonly value: unknown } | JsonProblem {
  let text = given.startsWith("\uFEFF") ? ` ${given.slice(1)}` : given;
  let parsed = parseJson(text);
  if ("problem" in parsed && options.comments === true) {
    text = withoutComments(text);
    parsed = parseJson(text);
  }
  if ("problem" in parsed) return parsed;
  const problem =
    options.isScanned === true ? undefined : (duplicateIn(text, parsed.value) ?? vanishedIn(text));
  return problem ?? readUnsafeIntegers(text, parsed);
}

/** Parses JSON text. The second parser runs only on bad text: JSON.parse does not always say where. */
export function parseJson(text: string): { readonly value: unknown } | JsonProblem {
  try {
    return { value: JSON.parse(text) };
  } catch (error) {
    const found = firstError(text);
    const offset = found === undefined || isCutString(found, text) ? text.length : found.offset;
    const problem = found === undefined ? (error as Error).message : spaced(printParseErrorCode(found.error));
    return { problem: offset >= text.length ? "unexpected end of JSON" : problem, ...placeIn(text, offset) };
  }
}

/**
 * The first object key that stands twice in the same object. JSON.parse keeps the last one in silence. In text
 * that is nested too deeply for the stack none is found: no schema has values so deep.
 * @param parsed what JSON.parse makes of the text: it has as many keys where none stands twice
 */
export function duplicateIn(text: string, parsed: unknown): JsonProblem | undefined {
  return keysInText(text) === keysIn(parsed) ? undefined : duplicateKey(text);
}

/** The first number that is not zero and that JSON.parse makes zero, in silence. */
function vanishedIn(text: string): JsonProblem | undefined {
  const offset = vanishedNumber(text);
  if (offset === undefined) return undefined;
  return { problem: "a number outside the range of a double", ...placeIn(text, offset) };
}

function duplicateKey(text: string): JsonProblem | undefined {
  const open: Set<string>[] = [];
  let found: { key: string; offset: number } | undefined;
  const visitor: JSONVisitor = {
    onObjectBegin: () => {
      open.push(new Set());
    },
    onObjectEnd: () => {
      open.pop();
    },
    onObjectProperty: (key, offset) => {
      const keys = open.at(-1);
      if (keys?.has(key)) found ??= { key, offset };
      keys?.add(key);
    },
  };
  try {
    visit(text, visitor);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
  }
  if (found === undefined) return undefined;
  const { key, offset } = found;
  return { problem: `the key ${JSON.stringify(key)} stands twice`, ...placeIn(text, offset) };
}

/**
 * Bytes of each object in a list, in the UTF-8 of its JSON text as it stands, without what is between them.
 * @param text JSON
 */
export function elementBytes(text: string): number[] {
  const sizes: number[] = [];
  let depth = 0;
  let start = 0;
  let isQuoted = false;
  for (let at = 0; at < text.length; at++) {
    const character = text[at];
    if (isQuoted) {
      if (character === "\\") at += 1;
      else if (character === '"') isQuoted = false;
    } else if (character === '"') {
      isQuoted = true;
    } else if (character === "{" || character === "[") {
      if (depth === 1) start = at;
      depth += 1;
    } else if (character === "}" || character === "]") {
      depth -= 1;
      if (depth === 1) sizes.push(Buffer.byteLength(text.slice(start, at + 1)));
    }
  }
  return sizes;
}

function firstError(text: string): ParseError | undefined {
  const errors: ParseError[] = [];
  try {
    parseTree(text, errors, { disallowComments: true });
  } catch (error) {
    // It recurses: a text nested too deeply for the stack has no place to show but its end.
    if (!(error instanceof RangeError)) throw error;
  }
  return errors.sort((a, b) => a.offset - b.offset)[0];
}

/** Whether the error is a string that the text ends in; a string without its end may also end with its line. */
function isCutString({ error, offset }: ParseError, text: string): boolean {
  return printParseErrorCode(error) === "UnexpectedEndOfString" && !/[\r\n]/.test(text.slice(offset));
}

/** The place of an offset in a text. */
export function placeIn(text: string, offset: number): Pick<JsonProblem, "offset" | "line" | "column"> {
  const before = text.slice(0, offset).split("\n");
  return { offset, line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
}

/** `CloseBraceExpected` as `close brace expected`. */
function spaced(code: string): string {
  return code.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`).trim();
}
