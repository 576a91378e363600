import { decode as decodeMessagePack } from "@msgpack/msgpack";
import { decode as decodeCbor } from "cborg";
import { parse as parseDevalue } from "devalue";
import { type dom, IonTypes, load } from "ion-js";
import { fromJSON } from "seroval";
import superjson from "superjson";
import { describe, expect, it } from "vitest";
import { HOSTILE_FORMATS } from "../../src/facts/hostile/messages.ts";
import { schemaOf } from "../schema/schema-of.ts";

const text = (bytes: Uint8Array): string => Buffer.from(bytes).toString();

/** Libraries as they are, which read what is not damaged but large. */
const LIBRARIES: Readonly<Record<string, (bytes: Uint8Array) => unknown>> = {
  json: (bytes) => JSON.parse(text(bytes)),
  devalue: (bytes) => parseDevalue(text(bytes)),
  superjson: (bytes) => superjson.parse(text(bytes)),
  seroval: (bytes) => fromJSON(JSON.parse(text(bytes))),
  msgpack: decodeMessagePack,
  cbor: decodeCbor,
  ion: (bytes) => plainIon(load(bytes)!),
};

/** Lists of Ion are objects of a class that is an array. */
function plainIon(value: dom.Value): unknown {
  return value.getType() === IonTypes.LIST ? value.elements().map(plainIon) : value.booleanValue();
}

function depthOf(value: unknown): number {
  return Array.isArray(value) ? 1 + (value.length === 0 ? 0 : depthOf(value[0])) : 0;
}

describe.each(Object.entries(LIBRARIES))("hostile messages of %s", (format, read) => {
  const { nested, many } = HOSTILE_FORMATS[format]!;

  it("are as deep as they say", () => {
    expect(depthOf(read(nested!(20)))).toBe(20);
  });

  it("have as many values as their bytes allow", () => {
    const bytes = many!(1024, schemaOf("m", []))!;
    expect(bytes.length).toBeLessThan(1100);
    expect((read(bytes) as unknown[]).length).toBeGreaterThan(70);
  });
});
