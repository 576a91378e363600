import { defineCodec } from "../model/codec.ts";
import { bindJson } from "../schema/json-binding.ts";
import { textPageCode } from "../schema/page-code.ts";
import { strictText } from "../schema/values/json-bytes.ts";

export default defineCodec({
  format: "json",
  library: "node",
  summary: "JSON.stringify to UTF-8 bytes, and JSON.parse from them",
  schemaless: true,
  traits: ["self-describing", "evolves"],
  bind: (dataset) => bindJson(dataset, JSON.stringify),
  page: () => textPageCode("", "JSON.stringify", "JSON.parse"),
  variants: {
    string: {
      summary: "JSON.stringify to a string, and JSON.parse from it: no bytes are made",
      schemaless: true,
      bind: (dataset) =>
        bindJson(dataset, JSON.stringify, {
          encode: (text) => text,
          decode: (encoded) => (typeof encoded === "string" ? encoded : strictText("json", encoded)),
        }),
    },
  },
});
