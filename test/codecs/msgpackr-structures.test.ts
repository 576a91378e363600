/** The variant `msgpackr:structures`: records that both sides know. */
import { Packr } from "msgpackr";
import { describe, expect, it } from "vitest";
import codec from "../../src/codecs/msgpackr.ts";
import tellist from "../../src/datasets/tellist.ts";
import type { Binding } from "../../src/model/codec.ts";
import type { Dataset } from "../../src/model/dataset.ts";
import { decodeTrusted, decodeUntrusted, encodeValue } from "../../src/schema/values/transcode.ts";
import { list, messageType, of, ofMessage, schemaOf } from "../schema/schema-of.ts";
import { datasetOf } from "./dataset.ts";

const bind = (dataset: Dataset): Binding => codec.variants!["structures"]!.bind(dataset) as Binding;
const bytesOf = (binding: Binding, value: Dataset["values"][number]): Uint8Array =>
  encodeValue(binding, value) as Uint8Array;

const values = [0, 1].map((index) => tellist.make(3, index));
const book: Dataset = { name: "tellist", schema: tellist.schema, values, int64: "number" };

describe("shared structures of msgpackr", () => {
  it("are no part of a message, which is what a Packr with them writes", () => {
    const binding = bind(book);
    const bytes = bytesOf(binding, values[0]!);
    expect(Buffer.from(bytes).includes("phone_num")).toBe(false);
    const structures: string[][] = [];
    const packr = new Packr({ structures });
    packr.pack(values[0]);
    expect(structures.map((one) => [...one])).toEqual([
      ["info"],
      ["id", "name", "age", "gender", "phone_num"],
    ]);
    expect(Buffer.compare(packr.pack(values[0]), bytes)).toBe(0);
  });

  it("define in a message what the values at bind time had not, and more than 32", () => {
    const types = Array.from({ length: 40 }, (_, i) => messageType(`p.N${i}`, [{ name: `n${i}` }]));
    const schema = schemaOf(
      "p",
      types.map(({ name }, i) => ({ name: `f${i}`, type: ofMessage(name), repetition: list })),
      { messages: types },
    );
    const all = Object.fromEntries(types.map((_, i) => [`f${i}`, [{ [`n${i}`]: i }, { [`n${i}`]: -i }]]));
    const dataset = datasetOf(schema, [all, {}]);
    const full = bind(dataset);
    const none = bind({ ...dataset, values: [] });
    const one = bind({ ...dataset, values: dataset.values.slice(1) });
    for (const binding of [full, none, one]) {
      for (const value of dataset.values) {
        const bytes = bytesOf(binding, value);
        expect(Buffer.compare(bytesOf(binding, value), bytes)).toBe(0);
        expect(decodeTrusted(binding, bytes)).toEqual(value);
        expect(decodeUntrusted("msgpackr", binding, dataset, bytes)).toEqual(value);
      }
    }
    expect(bytesOf(full, dataset.values[0]!).length).toBeLessThan(bytesOf(none, dataset.values[0]!).length);
  });

  it("are not defined anew by bytes from outside", () => {
    const dataset = datasetOf(schemaOf("p", [{ name: "a", type: of("int32") }]), [{ a: 1 }]);
    const binding = bind(dataset);
    expect(Buffer.from(bytesOf(binding, dataset.values[0]!)).toString("hex")).toBe("4001");
    expect(() => binding.verify(Buffer.from("d4724091a16102", "hex"))).toThrow(
      "record 0x40 is known already",
    );
    expect(() => binding.verify(Buffer.from("4101", "hex"))).toThrow("record 0x41 is not defined");
    expect(() => binding.verify(Buffer.from("40", "hex"))).toThrow("expected at least 1 more bytes");
    expect(decodeUntrusted("msgpackr", binding, dataset, Buffer.from("4007", "hex"))).toEqual({ a: 7 });
  });
});
