/** The words of JavaScript, as far as generated code has them: no regular expressions and no templates. */

/** A word of a source. */
export interface Token {
  readonly kind: "name" | "number" | "string" | "operator" | "end";
  /** As it stands there; of a string what it stands for. */
  readonly text: string;
  readonly value?: number | bigint;
  /** Characters before it. */
  readonly at: number;
  /** Whether a line ends before it. */
  readonly isOnNewLine: boolean;
}

const SPACE = /(?:\s|\/\*[\s\S]*?\*\/|\/\/[^\n]*)*/y;

/** The kinds of words; the first that matches is it. */
const WORDS: readonly (readonly [Exclude<Token["kind"], "end">, RegExp])[] = [
  ["name", /[\p{ID_Start}$_][\p{ID_Continue}$]*/uy],
  ["number", /(?:0x[\da-f]+|0b[01]+|0o[0-7]+|(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?)n?/iy],
  ["string", /"(?:[^"\\\n]|\\[\s\S])*"|'(?:[^'\\\n]|\\[\s\S])*'/y],
  [
    "operator",
    />>>=|\.\.\.|===|!==|\*\*=|<<=|>>=|>>>|&&=|\|\|=|\?\?=|=>|==|!=|<=|>=|&&|\|\||\?\?|\?\.(?!\d)|\+\+|--|\+=|-=|\*=|\/=|%=|&=|\|=|\^=|<<|>>|\*\*|[{}()[\];,<>+\-*/%&|^!~?:=.]/y,
  ],
];

const ESCAPES: Readonly<Record<string, string>> = {
  n: "\n",
  t: "\t",
  r: "\r",
  b: "\b",
  f: "\f",
  v: "\v",
  "0": "\0",
  "\n": "",
};

/** All words of a source, the end last. Throws SyntaxError. */
export function tokensOf(source: string): Token[] {
  const tokens: Token[] = [];
  let at = 0;
  const match = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = at;
    return pattern.exec(source)?.[0];
  };
  for (;;) {
    const space = match(SPACE) ?? "";
    at += space.length;
    const place = { at, isOnNewLine: space.includes("\n") };
    if (at === source.length) {
      tokens.push({ kind: "end", text: "", ...place });
      return tokens;
    }
    const word = WORDS.map(([kind, pattern]) => ({ kind, text: match(pattern) })).find(
      ({ text }) => text !== undefined,
    );
    if (word?.text === undefined)
      throw new SyntaxError(`cannot interpret ${JSON.stringify(source.slice(at, at + 20))}`);
    const { kind, text } = word;
    at += text.length;
    if (kind === "number") tokens.push({ kind, text, value: numberOf(text), ...place });
    else tokens.push({ kind, text: kind === "string" ? unescaped(text.slice(1, -1)) : text, ...place });
  }
}

function numberOf(text: string): number | bigint {
  return text.endsWith("n") ? BigInt(text.slice(0, -1)) : Number(text);
}

function unescaped(text: string): string {
  return text.replace(
    /\\(?:u\{([\da-f]+)\}|u([\da-f]{4})|x([\da-f]{2})|([\s\S]))/gi,
    (_, long, four, two, one) => {
      const code = long ?? four ?? two;
      return code === undefined ? (ESCAPES[one] ?? one) : String.fromCodePoint(Number.parseInt(code, 16));
    },
  );
}
