/** Codecs whose bytes hold what the library reads, of which the value of the schema is made afterwards. */
import { describeRegions } from "./suite.ts";

for (const name of ["json", "msgpack", "msgpackr", "msgpackr:records"]) describeRegions(name, true);
