/** More codecs whose bytes take a schema to read. */
import { describeRegions } from "./suite.ts";

for (const name of ["avsc", "bebop", "erlang-etf:record", "python-struct"]) describeRegions(name, false);
