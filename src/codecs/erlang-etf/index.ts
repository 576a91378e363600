import { readWhole } from "../../formats/erlang-etf/decode.ts";
import { writeWhole } from "../../formats/erlang-etf/encode.ts";
import { readRules, writeRules } from "../../formats/erlang-etf/options.ts";
import { type Binding, defineCodec } from "../../model/codec.ts";
import type { Dataset } from "../../model/dataset.ts";
import { mapped } from "../../schema/mapped.ts";
import { pageCode } from "../../schema/page-code.ts";
import { isCompressed, TRUSTED, untrusted, writeOptions } from "./limits.ts";
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
    read: (bytes) =>
      readWhole(bytes, isCompressed(bytes) ? readRules(untrusted(bytes)) : trusted, readRecord),
    verify: (bytes) => {
      readWhole(bytes, readRules(untrusted(bytes)), readRecord);
    },
  });
}

/** A tuple has types and no names: which field is which is told by its place. */
const RECORD_TRAITS = ["binary"] as const;

export default defineCodec({
  format: "erlang-etf",
  world: "Erlang",
  traits: ["self-describing", "evolves", "binary"],
  summary: MAPS,
  schemaless: true,
  bind: (dataset) => bindMaps(dataset, undefined),
  page: () =>
    pageCode(
      'import { binaryToTerm, termToBinary } from "wirebench/erlang-etf";',
      "termToBinary",
      "(bytes) => binaryToTerm(bytes)",
    ),
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
    record: { summary: RECORDS, traits: RECORD_TRAITS, bind: (dataset) => bindRecords(dataset, undefined) },
    "record-z6": {
      traits: RECORD_TRAITS,
      summary: `${RECORDS}; compressed by zlib at level 6 where that makes them smaller`,
      bind: (dataset) => bindRecords(dataset, 6),
    },
    "record-z9": {
      traits: RECORD_TRAITS,
      summary: `${RECORDS}; compressed by zlib at level 9 where that makes them smaller`,
      bind: (dataset) => bindRecords(dataset, 9),
    },
  },
});
