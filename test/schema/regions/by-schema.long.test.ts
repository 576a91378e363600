/** More codecs whose bytes take a schema to read. */
import { describeRegions } from "./suite.ts";

for (const name of ["apache-arrow", "avsc", "bebop", "erlang-etf:record", "python-struct"])
  describeRegions(name, false);
