import { compile } from "../../model/generated-code.ts";
import type { Int64Mode } from "../../model/schema.ts";
import { copyShared } from "../bytes/copy.ts";
import type { Format, Item } from "./format.ts";
import { byteAt, inChunks, isListed, shifts, type TextRule } from "./source.ts";
import * as values from "./values.ts";

/** Reads a struct from `at` on, where there must be enough bytes. */
export type Unpacker = (bytes: Uint8Array, at: number) => values.StructValue[];

/** Generates the function that reads a struct. Of the format, only numbers enter its source. */
export function compileUnpacker(format: Format, isText: TextRule, int64: Int64Mode): Unpacker {
  const scope = { ...values, copyShared };
  const context: Context = { bigEndian: format.bigEndian, int64 };
  if (!isListed(format)) {
    const expressions = format.items.flatMap((item) =>
      Array.from({ length: item.repeat }, (_, i) =>
        load(item, `o + ${item.offset + i * item.size}`, isText(item.index), context),
      ),
    );
    return compile(`return function read(b, o) {\n  return [${expressions.join(", ")}];\n};`, scope);
  }
  const lines = format.items.map((item) => {
    const { offset, size, repeat, index } = item;
    if (repeat === 1) return `r.push(${load(item, `o + ${offset}`, isText(index), context)});`;
    const one = load(item, "p", false, context);
    return `for (let p = o + ${offset}, end = p + ${repeat * size}; p < end; p += ${size}) r.push(${one});`;
  });
  const { functions, body } = inChunks(lines, "b, o, r");
  return compile(`${functions}\nreturn function read(b, o) {\nconst r = [];\n${body}\nreturn r;\n};`, scope);
}

interface Context {
  readonly bigEndian: boolean;
  readonly int64: Int64Mode;
}

/** The expression of one value. */
function load({ type, size }: Item, at: string, text: boolean, { bigEndian, int64 }: Context): string {
  switch (type.kind) {
    case "bool":
      return `(b[${at}] !== 0)`;
    case "char":
      return `copyShared(b, ${at}, ${at} + 1)`;
    case "bytes":
      return `${text ? "text" : "copyShared"}(b, ${at}, ${at} + ${size})`;
    case "pascal":
      if (size === 0) return text ? '""' : "new Uint8Array(0)";
      return `${text ? "text" : "copyShared"}(b, ${at} + 1, pascalEnd(b, ${at}, ${size}))`;
    case "pointer":
      return loadLong(at, false, { bigEndian, int64 });
    case "float":
      if (type.bits === 16) return `halfValue(${loadBits(at, 16, bigEndian)})`;
      if (type.bits === 32) return `float32(${loadBits(at, 32, bigEndian)})`;
      return `float64(${loadWords(at, bigEndian)})`;
    case "integer": {
      const { bits, signed } = type;
      if (bits === 64) return loadLong(at, signed, { bigEndian, int64 });
      const value = loadBits(at, bits, bigEndian);
      if (bits === 32) return signed ? value : `(${value} >>> 0)`;
      return signed ? `(${value} << ${32 - bits} >> ${32 - bits})` : value;
    }
  }
}

function loadLong(at: string, signed: boolean, { bigEndian, int64 }: Context): string {
  const words = loadWords(at, bigEndian, int64 === "number" && !signed);
  if (int64 === "number") return `safeLong(${words}, ${at})`;
  return `${signed ? "signed" : "unsigned"}Long(${words})`;
}

/** The higher and the lower 32 bits of 64, as two arguments. */
function loadWords(at: string, bigEndian: boolean, unsigned = false): string {
  const [first, second] = [loadBits(at, 32, bigEndian), loadBits(`${at} + 4`, 32, bigEndian)];
  const [high, low] = bigEndian ? [first, second] : [second, first];
  return `${unsigned ? `${high} >>> 0` : high}, ${low}`;
}

/** The bits of an integer; 32 of them are signed. */
function loadBits(at: string, bits: number, bigEndian: boolean): string {
  const bytes = shifts(bits, bigEndian).map((shift, i) =>
    shift === 0 ? byteAt(at, i) : `${byteAt(at, i)} << ${shift}`,
  );
  return `(${bytes.join(" | ")})`;
}
