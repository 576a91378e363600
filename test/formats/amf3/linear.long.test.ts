import { describeLinearWork } from "../linear-work/describe.ts";

describeLinearWork("test/formats/amf3/linear-program.ts", {
  refused: [
    "decode: a dictionary of integers of one chain",
    "decode: one list in another",
    "decode: a name that stands twice",
  ],
});
