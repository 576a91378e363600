import { defineCodec } from "../model/codec.ts";
import { DecodeError } from "../model/errors.ts";
import { isRecord } from "../model/value.ts";
import { jsonFamily } from "../schema/json-family.ts";
import { textPageCode } from "../schema/page-code.ts";
import { MAX_DEPTH } from "../schema/values/conform.ts";
import { bigintOf, SEROVAL_NODE } from "../schema/values/stand-ins.ts";

type Library = typeof import("seroval");

/** Levels of nodes that are read: a message, the list that it is in, and JSON of any kind below. */
const DEPTH = 1000 + 2 * MAX_DEPTH;

/**
 * Throws DecodeError unless a text is a tree of nodes of the types that values have. The library's others make promises,
 * streams, regular expressions, and views of any length.
 */
function checkTree(message: unknown): void {
  if (!isRecord(message) || !isRecord(message["t"]))
    throw new DecodeError("seroval", "expected a tree of nodes");
  const { m: marked } = message as { m: unknown };
  if (!Array.isArray(marked) || !marked.every(Number.isInteger))
    throw new DecodeError("seroval", "expected a list of marked nodes", { path: "m" });
  const open: { node: unknown; depth: number }[] = [{ node: message["t"], depth: 1 }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { node, depth } = next;
    if (depth > DEPTH)
      throw new DecodeError("seroval", `nested deeper than ${DEPTH} nodes`, { code: "limit" });
    for (const child of childrenOf(node)) open.push({ node: child, depth: depth + 1 });
  }
}

/** The nodes in a node. */
function childrenOf(node: unknown): readonly unknown[] {
  const strange = (): DecodeError =>
    new DecodeError("seroval", "expected a node of a value", { path: "t", cause: node });
  if (!isRecord(node)) throw strange();
  const { t: type, s: content, o: flag = 0 } = node as Record<string, unknown>;
  if (flag !== 0) throw strange();
  switch (type) {
    case SEROVAL_NODE.number:
      if (typeof content === "number") return [];
      break;
    case SEROVAL_NODE.text:
      if (typeof content === "string") return [];
      break;
    case SEROVAL_NODE.bigint:
      if (bigintOf(content) !== undefined) return [];
      break;
    case SEROVAL_NODE.constant:
    case SEROVAL_NODE.known:
      return [];
    case SEROVAL_NODE.list:
      if (Array.isArray(node["a"])) return node["a"];
      break;
    case SEROVAL_NODE.object: {
      const { k: keys, v: values } = (isRecord(node["p"]) ? node["p"] : {}) as Record<string, unknown>;
      if (!Array.isArray(keys) || !keys.every((key) => typeof key === "string")) break;
      if (new Set(keys).size === keys.length && Array.isArray(values) && values.length === keys.length)
        return values;
      break;
    }
    case SEROVAL_NODE.view: {
      const { f: memory, c: name, b: offset, l: length } = node as Record<string, unknown>;
      // Of memory of its own, all of it: many views of one would be more bytes than the text has.
      if (!isRecord(memory) || memory["t"] !== SEROVAL_NODE.buffer || typeof memory["s"] !== "string") break;
      if (name === "Uint8Array" && offset === 0 && Number.isInteger(length)) return [];
    }
  }
  throw strange();
}

export default defineCodec<Library>({
  format: "seroval",
  library: "seroval",
  tried: "1.8.1",
  load: () => import("seroval"),
  schemaless: true,
  traits: ["self-describing", "evolves", "one-reader"],
  summary: "toJSON and fromJSON through JSON text, as UTF-8: its other form is code, which is no message",
  page: () =>
    textPageCode(
      'import { fromJSON, toJSON } from "seroval";',
      "(value) => JSON.stringify(toJSON(value))",
      "(text) => fromJSON(JSON.parse(text))",
    ),
  bind: (dataset, { toJSON, fromJSON }) => {
    const options = { depthLimit: DEPTH, maxBase64Length: Number.MAX_SAFE_INTEGER };
    return jsonFamily(dataset, {
      format: "seroval",
      stringify: (value) => JSON.stringify(toJSON(value, options)),
      parse: (text) => fromJSON(JSON.parse(text), options),
      check: checkTree,
    });
  },
});
