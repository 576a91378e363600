/** Codecs whose bytes hold the value of the schema. */
import { describeRegions } from "./suite.ts";

for (const name of ["protobufjs", "flatbuffers", "capnp-ts", "raw-struct"]) describeRegions(name, false);
