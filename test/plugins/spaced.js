/** A codec that needs no schema: it says so in one word, but for a variant that does not. */
import { compileVisitor, defineCodec, direct, mapped } from "wirebench";

const write = (value) => Buffer.from(JSON.stringify(value, null, 1));
const read = (bytes) => JSON.parse(Buffer.from(bytes).toString());
const bind = (dataset) => mapped(dataset, { format: "text", write, read });

export default defineCodec({
  format: "text",
  summary: "JSON with spaces",
  schemaless: true,
  bind,
  variants: {
    direct: {
      summary: "the same without mapped()",
      schemaless: true,
      bind: ({ schema }) => direct({ write, read, visit: compileVisitor(schema) }),
    },
    canonical: { summary: "the same of canonical values", bind },
  },
});
