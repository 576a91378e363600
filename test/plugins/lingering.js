// A codec whose process does not end by itself.
import { writeFileSync } from "node:fs";
import { compileVisitor, defineCodec, direct } from "wirebench";

export default defineCodec({
  format: "json",
  summary: "leaves a timer that never ends",
  bind: ({ schema }) => {
    setInterval(() => {}, 1000);
    return direct({
      write: (value) => Buffer.from(JSON.stringify(value)),
      read: (bytes) => JSON.parse(bytes.toString()),
      visit: compileVisitor(schema),
    });
  },
  variants: {
    forever: {
      summary: "writes down in which process it runs, and never returns",
      bind: () => {
        writeFileSync(process.env.WIREBENCH_TEST_PROCESS_FILE, `${process.pid}\n`);
        for (;;);
      },
    },
  },
});
