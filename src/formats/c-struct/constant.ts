import type { Cursor, Token } from "./tokens.ts";

/** An integer constant with the C type that decides how it wraps and compares. */
interface Constant {
  readonly value: bigint;
  readonly bits: 32 | 64;
  readonly signed: boolean;
}

/** Deepest nesting of parentheses and signs. */
const MAX_NESTING = 100;

/** Binary operators by how tightly they bind (C11, 6.5.5 to 6.5.14). */
const PRECEDENCE: ReadonlyMap<string, number> = new Map(
  [
    ["||"],
    ["&&"],
    ["|"],
    ["^"],
    ["&"],
    ["==", "!="],
    ["<", ">", "<=", ">="],
    ["<<", ">>"],
    ["+", "-"],
    ["*", "/", "%"],
  ].flatMap((operators, level) => operators.map((operator) => [operator, level + 1] as const)),
);

const COMPARISONS: Readonly<Record<string, (a: bigint, b: bigint) => boolean>> = {
  "==": (a, b) => a === b,
  "!=": (a, b) => a !== b,
  "<": (a, b) => a < b,
  ">": (a, b) => a > b,
  "<=": (a, b) => a <= b,
  ">=": (a, b) => a >= b,
};

const ARITHMETIC: Readonly<Record<string, (a: bigint, b: bigint) => bigint>> = {
  "+": (a, b) => a + b,
  "-": (a, b) => a - b,
  "*": (a, b) => a * b,
  "/": (a, b) => a / b,
  "%": (a, b) => a % b,
  "&": (a, b) => a & b,
  "|": (a, b) => a | b,
  "^": (a, b) => a ^ b,
};

const ESCAPES: Readonly<Record<string, number>> = { n: 10, t: 9, r: 13, "0": 0, a: 7, b: 8, f: 12, v: 11 };

/**
 * Reads an integer constant expression (C11, 6.6) of literals and enumerators, with C's types: `int`, `long`
 * and their unsigned forms. Throws SchemaError for anything else, for overflow and for division by zero.
 * @param names values of the enumerators so far
 */
export function readConstant(cursor: Cursor, names: ReadonlyMap<string, number>): bigint {
  return conditional(cursor, names, 0).value;
}

function conditional(cursor: Cursor, names: ReadonlyMap<string, number>, depth: number): Constant {
  const condition = binary(cursor, names, 1, depth);
  if (!cursor.skip("?")) return condition;
  if (depth >= MAX_NESTING) throw cursor.error(`expression nested deeper than ${MAX_NESTING}`);
  const whole = conditional(cursor, names, depth + 1);
  cursor.expect(":");
  const otherwise = conditional(cursor, names, depth + 1);
  return convert(condition.value !== 0n ? whole : otherwise, commonType(whole, otherwise));
}

function binary(cursor: Cursor, names: ReadonlyMap<string, number>, least: number, depth: number): Constant {
  let left = unary(cursor, names, depth);
  for (;;) {
    const operator = cursor.token;
    const level = operator.kind === "punctuator" ? PRECEDENCE.get(operator.text) : undefined;
    if (level === undefined || level < least) return left;
    cursor.next();
    left = combine(cursor, operator, left, binary(cursor, names, level + 1, depth));
  }
}

function unary(cursor: Cursor, names: ReadonlyMap<string, number>, depth: number): Constant {
  if (depth >= MAX_NESTING) throw cursor.error(`expression nested deeper than ${MAX_NESTING}`);
  const token = cursor.token;
  if (token.kind === "number") return literal(cursor);
  if (token.kind === "character") return int(character(cursor));
  if (token.kind === "name") return named(cursor, names);
  if (cursor.skip("(")) {
    const inner = conditional(cursor, names, depth + 1);
    cursor.expect(")");
    return inner;
  }
  if (!["+", "-", "~", "!"].includes(token.text)) throw cursor.unexpected("an integer constant");
  cursor.next();
  const operand = unary(cursor, names, depth + 1);
  if (token.text === "!") return int(operand.value === 0n ? 1n : 0n);
  const value = token.text === "-" ? -operand.value : token.text === "~" ? ~operand.value : operand.value;
  return fitted(cursor, token, { ...operand, value });
}

function named(cursor: Cursor, names: ReadonlyMap<string, number>): Constant {
  const token = cursor.next();
  const value = names.get(token.text);
  if (value !== undefined) return int(BigInt(value));
  const what = token.text === "sizeof" ? "sizeof" : `"${token.text}"`;
  throw cursor.error(
    `${what} is not a constant here, expected a number, an enumerator or a macro of one`,
    token,
  );
}

function combine(cursor: Cursor, operator: Token, left: Constant, right: Constant): Constant {
  if (operator.text === "<<" || operator.text === ">>") return shift(cursor, operator, left, right);
  if (operator.text === "&&") return int(left.value !== 0n && right.value !== 0n ? 1n : 0n);
  if (operator.text === "||") return int(left.value !== 0n || right.value !== 0n ? 1n : 0n);
  const type = commonType(left, right);
  const [a, b] = [convert(left, type).value, convert(right, type).value];
  const compare = COMPARISONS[operator.text];
  if (compare !== undefined) return int(compare(a, b) ? 1n : 0n);
  if ((operator.text === "/" || operator.text === "%") && b === 0n) {
    throw cursor.error("division by zero", operator);
  }
  return fitted(cursor, operator, { ...type, value: ARITHMETIC[operator.text]!(a, b) });
}

function shift(cursor: Cursor, operator: Token, left: Constant, right: Constant): Constant {
  const undefinedInC =
    right.value < 0n || right.value >= BigInt(left.bits) || (left.signed && left.value < 0n);
  if (undefinedInC) throw cursor.error("shift without a meaning in C", operator);
  const value = operator.text === "<<" ? left.value << right.value : left.value >> right.value;
  return fitted(cursor, operator, { ...left, value });
}

/** The usual arithmetic conversions of two operands (C11, 6.3.1.8). */
function commonType(left: Constant, right: Constant): Pick<Constant, "bits" | "signed"> {
  if (left.bits !== right.bits) return left.bits > right.bits ? left : right;
  return { bits: left.bits, signed: left.signed && right.signed };
}

function convert({ value }: Constant, { bits, signed }: Pick<Constant, "bits" | "signed">): Constant {
  return { value: signed ? BigInt.asIntN(bits, value) : BigInt.asUintN(bits, value), bits, signed };
}

/** A result in its type: unsigned wraps around, signed must not overflow. */
function fitted(cursor: Cursor, operator: Token, result: Constant): Constant {
  const wrapped = convert(result, result);
  if (result.signed && wrapped.value !== result.value) {
    throw cursor.error(`integer overflow: ${result.value} does not fit ${result.bits} bits`, operator);
  }
  return wrapped;
}

function int(value: bigint): Constant {
  return { value, bits: 32, signed: true };
}

/** Most digits of an integer of 64 bits, and an integer that is none. */
const [MAX_DIGITS, TOO_LARGE] = [64, 2n ** 64n];

/** A number takes the first type that holds it, unsigned ones only in hexadecimal or with a `u` (C11, 6.4.4.1). */
function literal(cursor: Cursor): Constant {
  const token = cursor.next();
  const parts =
    /^(?<digits>0[xX][\da-fA-F]+|0[bB][01]+|\d+)(?<suffix>[uU]?(?:l|L|ll|LL)?|(?:l|L|ll|LL)[uU])$/.exec(
      token.text,
    );
  const { digits = "", suffix = "" } = parts?.groups ?? {};
  const octal = /^0[0-7]+$/.test(digits);
  if (parts === null || (/^0\d/.test(digits) && !octal)) {
    throw cursor.error(`"${token.text}" is not an integer constant`, token);
  }
  const [, radix = "", significant = ""] = /^(0[xXbB]|0)?0*(.*)$/.exec(digits) ?? [];
  // A long number would take long to convert.
  const isLong = significant.length > MAX_DIGITS;
  const value = isLong ? TOO_LARGE : BigInt(`${radix === "0" ? "0o" : radix}${significant || "0"}`);
  const unsigned = /u/i.test(suffix);
  const long = /l/i.test(suffix);
  for (const bits of long ? ([64] as const) : ([32, 64] as const)) {
    if (!unsigned && value < 1n << BigInt(bits - 1)) return { value, bits, signed: true };
    if ((unsigned || !/^[1-9]/.test(digits)) && value < 1n << BigInt(bits))
      return { value, bits, signed: false };
  }
  throw cursor.error(`${token.text} is too large for an integer`, token);
}

function character(cursor: Cursor): bigint {
  const token = cursor.next();
  const { plain, escaped } =
    /^'(?:(?<plain>[ -~])|\\(?<escaped>[ntr0abfv'"?\\]))'$/.exec(token.text)?.groups ?? {};
  if (plain !== undefined && plain !== "\\" && plain !== "'") return BigInt(plain.charCodeAt(0));
  if (escaped !== undefined) return BigInt(ESCAPES[escaped] ?? escaped.charCodeAt(0));
  throw cursor.error(`${token.text} is not supported as a character constant`, token);
}
