/** How wirebench answers a request of protobuf's conformance suite. */
import path from "node:path";

/** Modules whose functions answer. */
const MODULES = [
  "catalog/load-dataset",
  "codecs/protobufjs/load",
  "model/errors",
  "schema/values/any-bytes",
  "schema/values/conform",
  "schema/values/json-source",
  "schema/values/json-text",
  "schema/values/print-document",
  "schema/values/text-format",
];

/**
 * @param root where wirebench's modules are: dist, or src for the tests
 * @param extension theirs, `.js` or `.ts`
 * @returns answers a request: `["protobuf", hex]`, `["json", text]`, `["text", text]` for what comes in, and what is to go out;
 *   the answer is what goes out as text, false where the input is refused, null where the output has no such form, and
 *   undefined for what is not tried
 */
export async function answerer(root, extension) {
  const modules = await Promise.all(MODULES.map((name) => import(/* @vite-ignore */ path.join(root, `${name}${extension}`))));
  const { loadSchema, ProtobufLoader, WirebenchError, ...values } = Object.assign({}, ...modules);
  const { conform, documentOf, documentText, encodeMessage, readJson, readTextFormat } = values;
  const schemas = new Map();
  const loaders = new Map();

  function schemaOf(message) {
    if (!schemas.has(message)) schemas.set(message, loadSchema(path.join(import.meta.dirname, "messages.binpb"), message));
    return schemas.get(message);
  }

  function valueOf(schema, form, content) {
    if (form === "text") return conform(schema, readTextFormat(schema, content), { form: "plain", int64: "bigint" }).value;
    if (form === "json") {
      const read = readJson(content);
      if ("problem" in read) throw new WirebenchError(read.problem);
      return conform(schema, read.value, { form: "json", int64: "bigint" }).value;
    }
    if (!loaders.has(schema)) loaders.set(schema, new ProtobufLoader(schema));
    let isLeftOut = false;
    const onLeftOut = (unknown) => {
      isLeftOut = unknown.length > 0;
    };
    const { value } = loaders.get(schema).load(Buffer.from(content, "hex"), "bigint", { unknown: "skip", onLeftOut });
    return isLeftOut ? undefined : value;
  }

  return (message, [form, content], output) => {
    const schema = schemaOf(message);
    if (output === "text") return undefined;
    let value;
    try {
      value = valueOf(schema, form, content);
    } catch (error) {
      if (error instanceof WirebenchError) return false;
      throw error;
    }
    if (value === undefined) return undefined;
    try {
      if (output === "json") return documentText(documentOf(schema, value));
      return Buffer.from(encodeMessage(schema, schema.messages.get(schema.root), value)).toString("hex");
    } catch (error) {
      if (error instanceof WirebenchError) return null;
      throw error;
    }
  };
}
