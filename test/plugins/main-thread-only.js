// A codec that no worker thread can have.
import { isMainThread } from "node:worker_threads";
import { compileVisitor, defineCodec, direct } from "wirebench";

export default defineCodec({
  format: "json",
  summary: "JSON where there is no other thread",
  bind: ({ schema }) => {
    if (!isMainThread) throw new Error("it is of the main thread");
    return direct({
      write: (value) => Buffer.from(JSON.stringify(value)),
      read: (bytes) => JSON.parse(bytes.toString()),
      visit: compileVisitor(schema),
    });
  },
});
