import { readWhole } from "../../formats/erlang-etf/decode.ts";
import { writeWhole } from "../../formats/erlang-etf/encode.ts";
import { readRules, writeRules } from "../../formats/erlang-etf/options.ts";
import { type Binding, defineCodec } from "../../model/codec.ts";
import type { Dataset } from "../../model/dataset.ts";
import { mapped } from "../../schema/mapped.ts";
import { TRUSTED, untrusted, writeOptions } from "./limits.ts";
import { bindMaps } from "./maps.ts";
import { compileReadRecord } from "./record-read.ts";
import { compileWriteRecord } from "./record-write.ts";

const MAPS = "maps with binaries as keys, text as binaries, as Erlang's term_to_binary writes them";
const RECORDS = "records as gpb makes them: tuples without names, text as lists of code points";

/**
 * Messages as gpb, the protobuf library of Erlang, decodes them: a message is a tuple of its simple name and every
 * field in the order of the schema, and an absent one is `undefined`. @param level of zlib, or undefined
 */
function bindRecords(dataset: Dataset, level: number | undefined): Binding {
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

export default defineCodec({
  format: "erlang-etf",
  summary: MAPS,
  schemaless: true,
  bind: (dataset) => bindMaps(dataset, undefined),
  variants: {
    z6: {
      summary: `${MAPS}, compressed by zlib at level 6 where that makes them smaller`,
      schemaless: true,
      bind: (dataset) => bindMaps(dataset, 6),
    },
    z9: {
      summary: `${MAPS}, compressed by zlib at level 9 where that makes them smaller`,
      schemaless: true,
      bind: (dataset) => bindMaps(dataset, 9),
    },
    record: { summary: RECORDS, bind: (dataset) => bindRecords(dataset, undefined) },
    "record-z6": {
      summary: `${RECORDS}; compressed by zlib at level 6 where that makes them smaller`,
      bind: (dataset) => bindRecords(dataset, 6),
    },
    "record-z9": {
      summary: `${RECORDS}; compressed by zlib at level 9 where that makes them smaller`,
      bind: (dataset) => bindRecords(dataset, 9),
    },
  },
});
