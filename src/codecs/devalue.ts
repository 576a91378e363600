import { defineCodec } from "../model/codec.ts";
import { DecodeError } from "../model/errors.ts";
import { isRecord } from "../model/value.ts";
import { jsonFamily, refuseKeys } from "../schema/json-family.ts";
import { textPageCode } from "../schema/page-code.ts";
import { bigintOf, DEVALUE_NUMBERS } from "../schema/values/stand-ins.ts";

type Library = typeof import("devalue");

/**
 * Throws DecodeError unless a text is a flat list of what values are made of, each of which names others by their index.
 * The library's other types have costs of their own, such as a list with a length of 2^32.
 */
function checkFlat(flat: unknown): void {
  if (!Array.isArray(flat) || flat.length === 0)
    throw new DecodeError("devalue", "expected a list of values");
  const isIndex = (index: unknown): boolean =>
    DEVALUE_NUMBERS.has(index) || (Number.isInteger(index) && (index as number) in flat);
  const viewed = new Set<unknown>();
  /** Whether it is a value, or the memory of bytes, which is none but has a place of its own. */
  const isKnown = (value: unknown): boolean => {
    if (isRecord(value)) return Object.values(value).every(isIndex);
    if (!Array.isArray(value) || typeof value[0] !== "string")
      return !Array.isArray(value) || value.every(isIndex);
    const [type, content] = value as unknown[];
    if (value.length !== 2) return false;
    if (type === "BigInt") return bigintOf(content) !== undefined;
    if (type === "ArrayBuffer") return typeof content === "string";
    if (type !== "Uint8Array" || viewed.has(content)) return false;
    viewed.add(content);
    const memory = Number.isInteger(content) ? flat[content as number] : undefined;
    return Array.isArray(memory) && memory[0] === "ArrayBuffer";
  };
  const strange = flat.findIndex((value) => !isKnown(value));
  if (strange >= 0)
    throw new DecodeError("devalue", "not a value, or of a type that values have not", {
      path: `[${strange}]`,
    });
}

export default defineCodec<Library>({
  format: "devalue",
  library: "devalue",
  tried: "6.0.3",
  load: () => import("devalue"),
  schemaless: true,
  traits: ["self-describing", "evolves", "one-reader"],
  summary: "stringify and parse, as UTF-8; equal texts and numbers are written once, bytes as base64",
  page: () => textPageCode('import * as devalue from "devalue";', "devalue.stringify", "devalue.parse"),
  bind: (dataset, { stringify, parse }) => {
    refuseKeys(dataset, "devalue", ["__proto__"]);
    return jsonFamily(dataset, { format: "devalue", stringify, parse, check: checkFlat });
  },
});
