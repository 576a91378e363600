/** More codecs whose bytes name their fields. */
import { describeRegions } from "./suite.ts";

for (const name of ["amf3", "bson", "cbor-x", "cbor-x:records", "cborg", "erlang-etf", "v8"])
  describeRegions(name, true);
