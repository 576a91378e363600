import { describeLinearWork } from "../linear-work/describe.ts";

describeLinearWork("test/formats/python-pickle/linear-program.ts", {
  refused: [
    "decode: integers of one chain",
    "decode: integers of one hash",
    "decode: keys of one hash",
    "decode: marks and lists",
    "decode: calls with one text",
    "decode: calls with one list",
    "encode: one integer of too many digits",
    "verify: an unknown field of a long name",
  ],
});
