// A codec that writes each message three times, and with a blank: the version after.
import { compileVisitor, defineCodec, direct } from "wirebench";

const text = (value) => `${JSON.stringify(value)} `;

export default defineCodec({
  format: "json",
  summary: "writes three times",
  bind: ({ schema }) =>
    direct({
      write: (value) => [1, 2, 3].map(() => Buffer.from(text(value)))[2],
      read: (bytes) => JSON.parse(bytes.toString()),
      visit: compileVisitor(schema),
    }),
});
