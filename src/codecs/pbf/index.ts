import { verifyProtobuf } from "../../formats/protobuf-verifier/index.ts";
import { type Binding, bytesOf, defineCodec, direct, type Encoded } from "../../model/codec.ts";
import type { Dataset } from "../../model/dataset.ts";
import { DecodeError, UnsupportedError } from "../../model/errors.ts";
import { literal } from "../../model/generated-code.ts";
import { type FieldType, hasPresence, reachableMessages, type Schema } from "../../model/schema.ts";
import { firstDifference, type Value } from "../../model/value.ts";
import { compileCopier } from "../../schema/generate/copy.ts";
import { compileVisitor } from "../../schema/generate/visit.ts";
import { checkProtobuf, oneofNames } from "../../schema/layout/protobuf.ts";
import { protobufShape } from "../../schema/layout/protobuf-shape.ts";
import { pageCode } from "../../schema/page-code.ts";
import { MAX_DECODED_VALUES } from "../../schema/values/conform.ts";
import { deciding, decodeTrusted, encodeValue } from "../../schema/values/transcode.ts";
import { hasLongs, parsedSchema, withoutPresence } from "./schema.ts";

interface Library {
  readonly pbf: typeof import("pbf");
  /** Its types lack the compiler. */
  readonly compile: (
    parsed: object,
  ) => Readonly<Record<string, (first: unknown, second?: unknown) => unknown>>;
  /** The code itself. */
  readonly compileRaw: (parsed: object) => string;
}

function bindPbf({ pbf, compile }: Library, dataset: Dataset): Binding {
  const { schema, int64, values } = dataset;
  checkProtobuf(schema);
  // Without values it is to read bytes, in which the verifier refuses what no number holds.
  if (int64 === "bigint" && values.length > 0 && hasLongs(schema))
    throw new UnsupportedError("pbf: it holds 64-bit integers in numbers, and the data has larger ones");
  const { parsed, root } = parsedSchema(schema);
  const code = compile(parsed);
  const [write, read] = [code[`write${root}`]!, code[`read${root}`]!];
  const toPlain = compileToPlain(schema);
  const shape = protobufShape(withoutPresence(schema));
  const binding = direct({
    write: (value) => {
      const writer = new pbf.PbfWriter();
      write(value, writer);
      return writer.finish();
    },
    read: (encoded) => read(new pbf.PbfReader(bytesOf(encoded, "protobuf"))),
    visit: compileVisitor(schema),
    mapping: toPlain && { from: toPlain },
  });
  const verified: Binding = {
    ...binding,
    verify: (encoded, { strict = false, unknown = "refuse", maxValues, onLeftOut } = {}) => {
      const report = verifyProtobuf(bytesOf(encoded, "protobuf"), shape, {
        integers: "safe",
        values: maxValues ?? MAX_DECODED_VALUES,
        unknownFields: unknown,
        plainReader: true,
        strict,
      });
      // It reads any wire type as that of the field, keeps what a closed enum lacks, and cannot skip groups.
      const misread = report.unknown.find(({ what, wire }) => what !== "field" || wire === START_GROUP);
      if (misread !== undefined)
        throw new DecodeError("protobuf", `pbf cannot leave out the ${misread.what}`, {
          offset: misread.offset,
        });
      onLeftOut?.(report.unknown);
    },
  };
  for (const value of values) refuseLosses(verified, value);
  return deciding("protobuf", dataset, verified);
}

const START_GROUP = 3;

/**
 * Throws UnsupportedError, with the path, for a value that does not come back: pbf leaves out NaN and -0, reads negative
 * enums as positive numbers, and takes a byte order mark off long text.
 */
function refuseLosses(binding: Binding, value: Value): void {
  let encoded: Encoded;
  try {
    encoded = encodeValue(binding, value);
  } catch (error) {
    if (isOtherApi(error)) throw error;
    throw new UnsupportedError(`pbf: ${(error as Error).message}`);
  }
  const difference = firstDifference(value, decodeTrusted(binding, encoded));
  if (difference !== undefined) throw new UnsupportedError(`pbf: ${difference}`);
}

/** Whether a version lacks what is called, which is no loss of a value. */
function isOtherApi(error: unknown): boolean {
  return error instanceof TypeError && /is not a (?:function|constructor)/.test(error.message);
}

/** Makes what leaves out absent fields, which pbf gives as undefined, and fills in bytes; undefined where there are none. */
function compileToPlain(schema: Schema): ((message: unknown) => Value) | undefined {
  const isBytes = (type: FieldType): boolean => type.kind === "scalar" && type.scalar === "bytes";
  const changes = reachableMessages(schema).some(({ fields }) =>
    fields.some((field) => hasPresence(field) || (field.repetition.kind === "one" && isBytes(field.type))),
  );
  if (!changes) return undefined;
  return compileCopier<unknown, Value>(schema, {
    leaf: (type, value) => (isBytes(type) ? `(${value} ?? new Uint8Array(0))` : undefined),
    // It keeps what members before the last were, and says which that is.
    oneofs: {
      read: (field, { fields }) => {
        const oneof = oneofNames(fields).get(field);
        return oneof && `(m.${oneof} === ${literal(field.name)} ? m.${field.name} : undefined)`;
      },
    },
  });
}

export default defineCodec<Library>({
  format: "protobuf",
  library: "pbf",
  tried: "5.1.2",
  load: async () => {
    // @ts-expect-error The compiler has no types.
    const compiler = import("pbf/compile") as Promise<Pick<Library, "compile" | "compileRaw">>;
    const [pbf, { compile, compileRaw }] = await Promise.all([import("pbf"), compiler]);
    return { pbf, compile, compileRaw };
  },
  traits: ["evolves", "binary", "needs-eval"],
  summary:
    "the code that pbf/compile makes of a schema; numbers and texts have no presence; bytes are views on the input",
  bind: (dataset, library) => bindPbf(library, dataset),
  page: ({ schema }, { compileRaw }) => {
    const { parsed, root } = parsedSchema(schema);
    return pageCode(
      `import { PbfReader, PbfWriter } from "pbf";\n${compileRaw(parsed)}`,
      `(value) => { const writer = new PbfWriter(); write${root}(value, writer); return writer.finish(); }`,
      `(bytes) => read${root}(new PbfReader(bytes))`,
    );
  },
});
