// A codec that prints where only answers belong.
import { compileVisitor, defineCodec, direct } from "wirebench";

process.stdout.write("hello from a plugin\n");

export default defineCodec({
  format: "json",
  summary: "says what it does",
  bind: ({ schema }) =>
    direct({
      write: (value) => {
        process.stdout.write("writing\n");
        return Buffer.from(JSON.stringify(value));
      },
      read: (bytes) => JSON.parse(Buffer.from(bytes).toString()),
      visit: compileVisitor(schema),
    }),
});
