// A codec that ends its process when its memory is looked at, once everything is timed.
import { compileVisitor, defineCodec, direct } from "wirebench";

export default defineCodec({
  format: "json",
  summary: "JSON that does not like to be watched",
  bind: ({ schema }) =>
    direct({
      write: (value) => {
        if (new Error().stack.includes("measureMemory")) process.exit(9);
        return Buffer.from(JSON.stringify(value));
      },
      read: (bytes) => JSON.parse(bytes.toString()),
      visit: compileVisitor(schema),
    }),
});
