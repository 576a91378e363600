import { compile } from "../../model/generated-code.ts";
import type { Int64Mode } from "../../model/schema.ts";
import { copyPart, copyShared } from "../bytes/copy.ts";
import type { Format, Item } from "./format.ts";
import { byteAt, isListed, type Runs, runsOf, shifts, type TextRule, throughRuns } from "./source.ts";
import * as values from "./values.ts";

/** Reads a struct from `at` on, where there must be enough bytes. */
export type Unpacker = (bytes: Uint8Array, at: number) => values.StructValue[];

/** Makes the function that reads a struct. Of the format, only numbers enter generated source. */
export function compileUnpacker(format: Format, isText: TextRule, int64: Int64Mode): Unpacker {
  const { bigEndian, items } = format;
  const context: Context = { bigEndian, int64 };
  if (isListed(format)) {
    const runs = runsOf(format, isText);
    const read = runsReader(context);
    return (bytes, at) => read(bytes, at, runs);
  }
  const expressions = items.flatMap(({ type, offset, size, repeat, index }) =>
    Array.from({ length: repeat }, (_, i) => {
      const at = `o + ${offset + i * size}`;
      return load(type, { at, size, text: isText(index + i) }, context);
    }),
  );
  return compile(`return function read(b, o) {\n  return [${expressions.join(", ")}];\n};`, SCOPE);
}

const SCOPE = { ...values, copyPart, copyShared };

/** Reads values from `o` on, by a table. */
type RunsReader = (b: Uint8Array, o: number, runs: Runs) => values.StructValue[];

const readers = new Map<string, RunsReader>();

function runsReader(context: Context): RunsReader {
  const key = `${context.bigEndian} ${context.int64}`;
  const known = readers.get(key);
  if (known !== undefined) return known;
  const place = { at: "p", size: "n" } as const;
  const body = throughRuns((type, text) => `r.push(${load(type, { ...place, text }, context)});`, "");
  const reader = compile<RunsReader>(
    `return function readRuns(b, o, runs) {\n  const r = [];\n  ${body}\n  return r;\n};`,
    SCOPE,
  );
  readers.set(key, reader);
  return reader;
}

interface Context {
  readonly bigEndian: boolean;
  readonly int64: Int64Mode;
}

/** Where the bytes of a value are, by names in the generated code. */
interface Place {
  readonly at: string;
  readonly size: number | "n";
  readonly text: boolean;
}

/** The expression of one value. */
function load(type: Item["type"], { at, size, text }: Place, { bigEndian, int64 }: Context): string {
  switch (type.kind) {
    case "bool":
      return `(b[${at}] !== 0)`;
    case "char":
      return `copyShared(b, ${at}, ${at} + 1)`;
    case "bytes":
      return `${text ? "text" : "copyPart"}(b, ${at}, ${at} + ${size})`;
    case "pascal":
      return `${text ? "text" : "copyPart"}(b, ${at} + 1, pascalEnd(b, ${at}, ${size}))`;
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
