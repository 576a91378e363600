// A codec that writes each message thirty times, and with a blank: the version after.
import { compileVisitor, defineCodec, direct } from "wirebench";

const text = (value) => `${JSON.stringify(value)} `;

export default defineCodec({
  format: "json",
  summary: "writes thirty times",
  bind: ({ schema }) =>
    direct({
      write: (value) => Array.from({ length: 30 }, () => Buffer.from(text(value)))[0],
      read: (bytes) => JSON.parse(bytes.toString()),
      visit: compileVisitor(schema),
    }),
});
