import type { Reader, Writer } from "ion-js";
import { type Binding, defineCodec } from "../../model/codec.ts";
import type { Dataset } from "../../model/dataset.ts";
import { DecodeError } from "../../model/errors.ts";
import { setOwn } from "../../model/generated-code.ts";
import { show } from "../../model/value.ts";
import { longsAsBigints } from "../../schema/generate/copy.ts";
import { mapped } from "../../schema/mapped.ts";
import { pageCode } from "../../schema/page-code.ts";
import { MAX_DEPTH } from "../../schema/values/conform.ts";
import { readOutside } from "../../schema/values/transcode.ts";
import { verifyExtent } from "./extent.ts";

type Library = Pick<typeof import("ion-js"), "IonTypes" | "makeBinaryWriter" | "makeReader">;

/** A level for each message, and one for the list or map that it is in. */
const DEPTH = 2 * MAX_DEPTH;

/** An annotation around a struct with a list of structs, beside the values. */
const SYMBOL_TABLE_DEPTH = 4;

/** Writes plain values as Ion by the library's writer: its `dumpBinary` drops the sign of -0, and fails at a field `constructor`. */
function valueWriter({
  IonTypes: { LIST, NULL, STRUCT },
}: Library): (writer: Writer, value: unknown) => void {
  return function write(writer, value) {
    if (typeof value === "string") writer.writeString(value);
    else if (typeof value === "number") {
      if (Number.isSafeInteger(value) && !Object.is(value, -0)) writer.writeInt(value);
      else writer.writeFloat64(value);
    } else if (typeof value === "boolean") writer.writeBoolean(value);
    else if (typeof value === "bigint") writer.writeInt(value);
    else if (value === null) writer.writeNull(NULL);
    else if (value instanceof Uint8Array) writer.writeBlob(value);
    else if (Array.isArray(value)) {
      writer.stepIn(LIST);
      for (const item of value) write(writer, item);
      writer.stepOut();
    } else {
      writer.stepIn(STRUCT);
      for (const name of Object.keys(value as object)) {
        writer.writeFieldName(name);
        write(writer, (value as Record<string, unknown>)[name]);
      }
      writer.stepOut();
    }
  };
}

type IonType = ReturnType<Reader["type"]>;

/**
 * Reads the value on which the library's reader stands, of the type that `next` gave. Throws DecodeError for what is no plain
 * value: symbols, decimals, timestamps, typed nulls. What most fields are is read where they are gone through.
 */
function valueReader({ IonTypes }: Library): (reader: Reader, type: IonType) => unknown {
  const { NULL, BOOL, INT, FLOAT, STRING, BLOB, LIST, STRUCT } = IonTypes;
  return read;

  function read(reader: Reader, type: IonType): unknown {
    switch (type) {
      case STRUCT:
        return struct(reader);
      case LIST:
        return list(reader);
      case STRING:
        return reader.stringValue();
      case INT:
        return integer(reader);
      case FLOAT:
        return reader.numberValue();
      case BOOL:
        return reader.booleanValue();
      case BLOB:
        return reader.uInt8ArrayValue();
      case NULL:
        return null;
      default:
        throw new DecodeError("ion", `a value of the type ${type?.name}`, { code: "unsupported" });
    }
  }

  function struct(reader: Reader): Record<string, unknown> {
    const fields: Record<string, unknown> = {};
    reader.stepIn();
    for (let type = reader.next(); type !== null; type = reader.next()) {
      const name = reader.fieldName()!;
      let value: unknown;
      if (type === STRING) value = reader.stringValue();
      else if (type === INT) value = integer(reader);
      else value = read(reader, type);
      // What `setOwn` does besides, for far indexes, takes a tenth of a decode.
      if (name === "__proto__") setOwn(fields, name, value);
      else fields[name] = value;
    }
    reader.stepOut();
    return fields;
  }

  function list(reader: Reader): unknown[] {
    const items: unknown[] = [];
    reader.stepIn();
    for (let type = reader.next(); type !== null; type = reader.next()) items.push(read(reader, type));
    reader.stepOut();
    return items;
  }
}

/** The integer on which the library's reader stands: a bigint where no number is it. */
function integer(reader: Reader): unknown {
  const number = reader.numberValue();
  return Number.isSafeInteger(number) ? number : reader.bigIntValue();
}

/**
 * Throws DecodeError unless the library's reader stands on a plain value: for typed nulls, two fields of one name, and what is
 * nested too deep, which {@link valueReader} does not look for.
 */
function checkValue(library: Library, reader: Reader, depth = 1): void {
  const { NULL, LIST, STRUCT } = library.IonTypes;
  const type = reader.type();
  if (depth > DEPTH) throw new DecodeError("ion", `nested deeper than ${DEPTH} levels`, { code: "limit" });
  if (reader.isNull()) {
    if (type === NULL) return;
    throw new DecodeError("ion", `null of the type ${type?.name}`, { code: "unsupported" });
  }
  if (type !== LIST && type !== STRUCT) return;
  const names = new Set<string>();
  reader.stepIn();
  while (reader.next() !== null) {
    if (type === STRUCT) {
      const name = reader.fieldName();
      if (name === null) throw new DecodeError("ion", "a field without a name");
      if (names.has(name)) throw new DecodeError("ion", `the field ${show(name)} stands twice`);
      names.add(name);
    }
    checkValue(library, reader, depth + 1);
  }
  reader.stepOut();
}

function bindIon(library: Library, dataset: Dataset): Binding {
  const { schema, int64 } = dataset;
  const [writeValue, readValue] = [valueWriter(library), valueReader(library)];
  const mapping = longsAsBigints(schema, int64);
  return mapped(dataset, {
    format: "ion",
    mapping,
    write(value) {
      const writer = library.makeBinaryWriter();
      writeValue(writer, value);
      writer.close();
      return writer.getBytes();
    },
    read(bytes) {
      const reader = library.makeReader(bytes);
      return readValue(reader, reader.next());
    },
    verify(bytes) {
      verifyExtent(bytes, DEPTH + SYMBOL_TABLE_DEPTH);
      readOutside("ion", () => {
        const reader = library.makeReader(bytes);
        if (reader.next() === null) throw new DecodeError("ion", "no value", { code: "truncated" });
        checkValue(library, reader);
        if (reader.next() !== null)
          throw new DecodeError("ion", "more than one value", { code: "unsupported" });
      });
    },
  });
}

export default defineCodec<Library>({
  format: "ion",
  library: "ion-js",
  tried: "5.2.1",
  load: async () => {
    const library = await import("ion-js");
    return (library as { readonly default?: Library }).default ?? library;
  },
  schemaless: true,
  traits: ["self-describing", "evolves", "binary"],
  summary:
    "binary Ion by a Writer and a Reader, value by value; integers are ints, other numbers 64-bit floats",
  bind: (dataset, library) => bindIon(library, dataset),
  page: () => pageCode('import * as ion from "ion-js";', "ion.dumpBinary", "(bytes) => ion.load(bytes)"),
});
