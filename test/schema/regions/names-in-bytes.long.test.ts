/** More codecs whose bytes name their fields. */
import { describeRegions } from "./suite.ts";

for (const name of ["amf3", "bson", "cbor-x", "cbor-x:records", "cborg", "erlang-etf", "ion-js", "v8"])
  describeRegions(name, true);
