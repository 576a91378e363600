import { SchemaError } from "../../model/errors.ts";

/** One word of a C file. `other` is a character that C has no use for, refused only where it is met. */
export interface Token {
  readonly kind: "name" | "number" | "character" | "string" | "punctuator" | "other" | "end";
  readonly text: string;
  /** Counts from 1. */
  readonly line: number;
  /** Counts from 1, in UTF-16 units. */
  readonly column: number;
  /** In UTF-16 units from 0. */
  readonly offset: number;
  /** Whether it is the first of its line, where `#` starts a directive. */
  readonly first: boolean;
}

const COMMENT = /\/\*.*?\*\/|\/\/(?:\\\r?\n|[^\n])*/sy;
const BLANK = /[ \t\v\f\r\uFEFF]+|\\\r?\n/y;
/** Text in quotes that is not closed takes the rest of its line: it may stand in a directive that is passed over. */
const TOKEN = new RegExp(
  [
    /(?<name>[A-Za-z_]\w*)/,
    /(?<number>\.?\d(?:[eEpP][+-]|[\w.])*)/,
    /(?<character>'(?:[^'\\\n]|\\.)*'?)/,
    /(?<string>"(?:[^"\\\n]|\\.)*"?)/,
    /(?<punctuator><<|>>|<=|>=|==|!=|&&|\|\||##|[-+*/%~!<>=&|^?:;,.(){}[\]#])/,
    /(?<other>.)/,
  ]
    .map((part) => part.source)
    .join("|"),
  "sy",
);

/** Splits a C file into tokens, without comments and with an `end` token last. Throws SchemaError. */
export function tokenize(file: string, text: string): Token[] {
  const tokens: Token[] = [];
  let offset = 0;
  let line = 1;
  let lineStart = 0;
  let first = true;
  const matched = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = offset;
    return pattern.exec(text);
  };
  const pass = (skipped: string): void => {
    for (let at = skipped.indexOf("\n"); at >= 0; at = skipped.indexOf("\n", at + 1)) {
      line += 1;
      lineStart = offset + at + 1;
    }
    offset += skipped.length;
  };
  while (offset < text.length) {
    if (text[offset] === "\n") {
      pass("\n");
      first = true;
      continue;
    }
    const skipped = matched(BLANK) ?? matched(COMMENT);
    if (skipped !== null) {
      pass(skipped[0]);
      continue;
    }
    const place = { line, column: offset - lineStart + 1 };
    if (text.startsWith("/*", offset)) throw new SchemaError(file, "comment without an end", place);
    const found = matched(TOKEN);
    const [kind, word] = Object.entries(found?.groups ?? {}).find(([, part]) => part !== undefined) ?? [];
    if (kind === undefined || word === undefined) break;
    tokens.push({ kind: kind as Token["kind"], text: word, ...place, offset, first });
    first = false;
    offset += word.length;
  }
  tokens.push({ kind: "end", text: "", line, column: offset - lineStart + 1, offset, first: true });
  return tokens;
}
