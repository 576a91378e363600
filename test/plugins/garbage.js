// A codec that writes a line of the test's where only messages belong.
import { writeSync } from "node:fs";
import { compileVisitor, defineCodec, direct } from "wirebench";

export default defineCodec({
  format: "json",
  summary: "writes where messages belong",
  bind: ({ schema }) => {
    writeSync(3, process.env.WIREBENCH_TEST_GARBAGE ?? "garbage\n");
    return direct({
      write: (value) => Buffer.from(JSON.stringify(value)),
      read: (bytes) => JSON.parse(Buffer.from(bytes).toString()),
      visit: compileVisitor(schema),
    });
  },
});
