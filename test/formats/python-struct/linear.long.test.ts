import { describeLinearWork } from "../linear-work/describe.ts";

describeLinearWork("test/formats/python-struct/linear-program.ts", {
  refused: ["format: more runs than are taken", "format: a character that is none, at the end"],
});
