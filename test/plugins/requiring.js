// A codec that loads its library with require, which no module hook of ours leads to another copy.
import { createRequire } from "node:module";
import { compileVisitor, defineCodec, direct } from "wirebench";

const { pack, unpack } = createRequire(import.meta.url)("msgpackr");

export default defineCodec({
  format: "msgpack",
  library: "msgpackr",
  summary: "pack and unpack",
  bind: ({ schema }) => direct({ write: pack, read: unpack, visit: compileVisitor(schema) }),
});
