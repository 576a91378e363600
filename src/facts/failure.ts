/** Errors as facts: whether a library says what is wrong, whether it stumbled, or whether that was its adapter. */
import { fileURLToPath, pathToFileURL } from "node:url";
import type { Binding, Encoded } from "../model/codec.ts";
import { WirebenchError } from "../model/errors.ts";
import { errorLine } from "../model/one-line.ts";
import { OWN_MODULES } from "../model/package-files.ts";
import type { Value } from "../model/value.ts";
import { type AskedCodec, type FactCell, shortened } from "./cell.ts";

/**
 * What V8 says where a program does what cannot be done. A library that lets bytes come so far has not looked at them. Texts of
 * V8 12 to 14 (`src/common/message-template.h`), and of its JSON and URI functions none: these are checks.
 */
const STUMBLES = [
  /^Cannot (?:read|set|convert|mix|destructure|create|assign|define|add|delete|redefine|access)\b/,
  /\bis not (?:a function|a constructor|iterable|defined|extensible|an object)\b/,
  /^(?:Invalid|Incorrect) (?:typed array|array|array buffer|string|DataView|count|code point|time|Array|atomic)\b/,
  /^Invalid (?:length|offset|index|value|date)\b/i,
  /^(?:Offset|Start offset|Length|Index|byteOffset|start offset) .*(?:bounds|outside|range|multiple)/,
  /^Maximum (?:call stack|BigInt) size exceeded/,
  /^Array buffer allocation failed/,
  /^The number .* cannot be converted to a BigInt/,
  /^(?:Reduce of empty array|Method .* called on incompatible receiver|Class constructor|Object prototype may only be)/,
  /^The value of ".*" is out of range/,
  /^Attempt to access memory outside buffer bounds/,
  /^source array is too long|^offset is out of bounds|^(?:Source|Target) is too large/i,
  /^(?:byte length|start offset) of \w+ should be a multiple/,
  /^Division by zero|^BigInt too big|^toString\(\) radix|^Unexpected (?:null|undefined)/,
];

const INTRINSIC = new Set([
  "TypeError",
  "RangeError",
  "ReferenceError",
  "EvalError",
  "URIError",
  "InternalError",
]);

/** Whether an error is one of the engine's own, and not of a check. */
export function isStumble(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return INTRINSIC.has(error.name) && STUMBLES.some((text) => text.test(error.message));
}

/** What a library read without an error, and is of another shape than its adapter goes through. */
class OtherShape extends Error {}

/**
 * What a codec reads of bytes without a verifier. What only its adapter fails on, the library took.
 * @param codec one without a library is no adapter: what it throws is its own refusal
 */
export function decodeBare(
  { library }: Pick<AskedCodec, "library">,
  binding: Binding,
  bytes: Encoded,
): Value {
  const parsed = binding.read(bytes);
  try {
    return binding.plain(parsed);
  } catch (error) {
    const isOwn = library === undefined && error instanceof WirebenchError;
    if (isOwn || isOfLibrary(error)) throw error;
    throw new OtherShape(errorLine(error));
  }
}

const OWN = fileURLToPath(OWN_MODULES);

/** Whether an error came up in the code of a library: formats that are read in place are read by what calls it. */
function isOfLibrary(error: unknown): boolean {
  const frames =
    error instanceof Error ? (error.stack ?? "").split("\n").filter((line) => /^\s+at /.test(line)) : [];
  // Of the engine's own functions there is no file.
  const top = frames.find((line) => !/\((?:<anonymous>|native)\)$/.test(line)) ?? "";
  return (
    !top.includes(OWN) && !top.includes(pathToFileURL(OWN).href) && /[\\/]node_modules[\\/]|node:/.test(top)
  );
}

/** The cell of an error. */
export function failure(error: unknown, step: NonNullable<FactCell["step"]>): FactCell {
  if (error instanceof OtherShape)
    return { outcome: "other", got: shortened(`of another shape: ${error.message}`) };
  const got = shortened(errorLine(error));
  return isStumble(error) ? { outcome: "error", step, got, stumbles: true } : { outcome: "error", step, got };
}
