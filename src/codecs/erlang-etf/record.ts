import { readWhole } from "../../formats/erlang-etf/decode.ts";
import { writeWhole } from "../../formats/erlang-etf/encode.ts";
import { readRules, writeRules } from "../../formats/erlang-etf/options.ts";
import { type Binding, bytesOf, direct } from "../../model/codec.ts";
import type { Dataset } from "../../model/dataset.ts";
import type { Value } from "../../model/value.ts";
import { compileVisitor } from "../../schema/generate/visit.ts";
import { TRUSTED, untrusted, writeOptions } from "./limits.ts";
import { compileReadRecord } from "./record-read.ts";
import { compileWriteRecord } from "./record-write.ts";

/**
 * Messages as gpb, the protobuf library of Erlang, decodes them: a message is a tuple of its simple name and every
 * field in the order of the schema, and an absent one is `undefined`. @param level of zlib, or undefined
 */
export function bindRecords(dataset: Dataset, level: number | undefined): Binding<Value, Value> {
  const writing = writeRules(writeOptions(level));
  const trusted = readRules(TRUSTED);
  const writeRecord = compileWriteRecord(dataset.schema, writing);
  const readRecord = compileReadRecord(dataset);
  return direct({
    write: (value) => writeWhole(writing, (writer) => writeRecord(writer, value)),
    read: (encoded) => readWhole(bytesOf(encoded, "erlang-etf"), trusted, readRecord),
    visit: compileVisitor(dataset.schema),
    verify: (encoded) => {
      const bytes = bytesOf(encoded, "erlang-etf");
      readWhole(bytes, readRules(untrusted(bytes)), readRecord);
    },
  });
}
