// A codec that prints where only answers belong.
import { compileVisitor, defineCodec, direct } from "wirebench";

console.log("hello from a plugin");

export default defineCodec({
  format: "json",
  summary: "says what it does",
  bind: ({ schema }) =>
    direct({
      write: (value) => {
        console.log("writing");
        return Buffer.from(JSON.stringify(value));
      },
      read: (bytes) => JSON.parse(Buffer.from(bytes).toString()),
      visit: compileVisitor(schema),
    }),
});
