import { readWhole } from "../../formats/erlang-etf/decode.ts";
import { writeWhole } from "../../formats/erlang-etf/encode.ts";
import { readRules, writeRules } from "../../formats/erlang-etf/options.ts";
import type { Binding } from "../../model/codec.ts";
import type { Dataset } from "../../model/dataset.ts";
import { mapped } from "../../schema/mapped.ts";
import { TRUSTED, untrusted, writeOptions } from "./limits.ts";
import { compileReadRecord } from "./record-read.ts";
import { compileWriteRecord } from "./record-write.ts";

/**
 * Messages as gpb, the protobuf library of Erlang, decodes them: a message is a tuple of its simple name and every
 * field in the order of the schema, and an absent one is `undefined`. @param level of zlib, or undefined
 */
export function bindRecords(dataset: Dataset, level: number | undefined): Binding {
  const writing = writeRules(writeOptions(level));
  const trusted = readRules(TRUSTED);
  const writeRecord = compileWriteRecord(dataset.schema, writing);
  const readRecord = compileReadRecord(dataset);
  return mapped(dataset, {
    format: "erlang-etf",
    write: (value) => writeWhole(writing, (writer) => writeRecord(writer, value)),
    read: (bytes) => readWhole(bytes, trusted, readRecord),
    verify: (bytes) => {
      readWhole(bytes, readRules(untrusted(bytes)), readRecord);
    },
  });
}
