import { describeLinearWork } from "../linear-work/describe.ts";

describeLinearWork("test/formats/c-struct/linear-program.ts", {
  refused: [
    "header: macros that double",
    "header: digits of a number that is too large",
    "header: a comment without an end",
  ],
});
