import { defineCodec } from "../../model/codec.ts";
import { bindMaps } from "./maps.ts";
import { bindRecords } from "./record.ts";

const MAPS = "maps with binaries as keys, text as binaries, as Erlang's term_to_binary writes them";
const RECORDS = "records as gpb makes them: tuples without names, text as lists of code points";

export default defineCodec({
  format: "erlang-etf",
  summary: MAPS,
  bind: (dataset) => bindMaps(dataset, undefined),
  variants: {
    z6: {
      summary: `${MAPS}, compressed by zlib at level 6 where that makes them smaller`,
      bind: (dataset) => bindMaps(dataset, 6),
    },
    z9: {
      summary: `${MAPS}, compressed by zlib at level 9 where that makes them smaller`,
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
