// A codec that writes each message once: the version before.
import { compileVisitor, defineCodec, direct } from "wirebench";

export default defineCodec({
  format: "json",
  summary: "writes once",
  bind: ({ schema }) =>
    direct({
      write: (value) => Buffer.from(JSON.stringify(value)),
      read: (bytes) => JSON.parse(bytes.toString()),
      visit: compileVisitor(schema),
    }),
});
