import { describeLinearWork } from "../linear-work/describe.ts";

describeLinearWork("test/formats/erlang-etf/linear-program.ts", {
  refused: ["decode: keys of one hash", "encode: a long text in keys of Maps in one another"],
});
