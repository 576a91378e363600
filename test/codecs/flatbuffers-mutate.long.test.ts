/** Numbers overwritten in place, against the methods that flatc writes with --gen-mutable. */
import fc from "fast-check";
import { ByteBuffer } from "flatbuffers";
import { expect, it } from "vitest";
import { type FlatcModule, flatcCode } from "../../benchmarks/plugins/flatc-code.js";
import flatbuffers from "../../src/codecs/flatbuffers/index.ts";
import tellist from "../../src/datasets/tellist.ts";
import type { Dataset } from "../../src/model/dataset.ts";
import { DecodeError } from "../../src/model/errors.ts";
import type { Schema } from "../../src/model/schema.ts";
import type { NumberPlace } from "../../src/model/selection.ts";
import { emitFbs, fbsNames } from "../../src/schema/emit/fbs.ts";
import { type FlatTable, flatLayout } from "../../src/schema/layout/flatbuffers.ts";
import { otherNumber, recordsOf } from "../../src/schema/selection.ts";
import { encodeValue } from "../../src/schema/values/transcode.ts";
import { datasets } from "../arbitrary-schema.ts";
import { isReplaceable, numbersIn } from "../codec-contract.ts";
import { SEED } from "../seed.ts";

const book: Dataset = {
  name: "tellist",
  schema: tellist.schema,
  values: [tellist.make(5, 0)],
  int64: "number",
};

type Reader = Record<string, (...rest: unknown[]) => unknown>;

/** The code that flatc made of a schema. Its methods are found by their order, which is that of the fields. */
class FlatcMutator {
  readonly #tables: readonly FlatTable[];
  readonly #classes: readonly (Record<string, (bb: ByteBuffer) => Reader> & { readonly prototype: object })[];

  constructor(schema: Schema, code: FlatcModule) {
    this.#tables = flatLayout(schema).tables;
    this.#classes = fbsNames(schema).tables.map((name) => code[name] as never);
  }

  /** Overwrites a number of the root, or of an element of a list of the root. Returns what flatc's method returns. */
  mutate(bytes: Uint8Array, { path, record, field }: NumberPlace, value: number | bigint): unknown {
    const root = this.#classes[0]!;
    const getRoot = Object.getOwnPropertyNames(root).find((name) => name.startsWith("getRootAs"))!;
    let reader = root[getRoot]!(new ByteBuffer(bytes));
    let table = 0;
    for (const name of path) {
      const vectors = this.#tables[table]!.fields.filter(({ type }) =>
        ["bytes", "vector"].includes(type.kind),
      );
      const methods = this.#methods(table);
      // The method that gives an element stands before the one that gives the length.
      const elements = methods.filter((_, i) => methods[i + 1]?.endsWith("Length") === true);
      const at = vectors.findIndex((one) => one.name === name);
      const { type } = vectors[at]!;
      table = type.kind === "vector" && type.element.kind === "table" ? type.element.table : -1;
      reader = reader[elements[at]!]!(record) as Reader;
    }
    const scalars = this.#tables[table]!.fields.filter(({ type }) => type.kind === "scalar");
    const mutators = this.#methods(table).filter((name) => name.startsWith("mutate_"));
    const { type } = scalars.find(({ name }) => name === field)!;
    const isLong = type.kind === "scalar" && /long/.test(type.scalar);
    const mutate = mutators[scalars.findIndex(({ name }) => name === field)]!;
    return reader[mutate]!(isLong ? BigInt(value) : value);
  }

  #methods(table: number): string[] {
    return Object.getOwnPropertyNames(this.#classes[table]!.prototype);
  }
}

it("a number is overwritten as flatc's mutate does, and refused where that returns false", async () => {
  const random = fc.sample(datasets(), { numRuns: 40, seed: SEED + 7 });
  const all = [book, ...random.filter(({ schema }) => recordsOf(schema).path.length < 2)];
  const codes = await flatcCode(
    all.map(({ schema }) => emitFbs(schema)),
    ["--gen-mutable"],
  );
  const counts = { changed: 0, absent: 0 };
  for (const [index, dataset] of all.entries()) {
    const binding = await flatbuffers.bind(dataset);
    const mutator = new FlatcMutator(dataset.schema, codes[index]!);
    for (const held of numbersIn(dataset.schema, dataset.values[0]!).slice(0, 12)) {
      const { place, definition } = held;
      const isBig =
        typeof held.number === "bigint" || (held.number === undefined && dataset.int64 === "bigint");
      const is64 = definition.type.kind === "scalar" && /64/.test(definition.type.scalar);
      const number = isReplaceable(held) ? otherNumber(definition, held.number) : is64 && isBig ? 1n : 1;
      const encoded = encodeValue(binding, dataset.values[0]!) as Uint8Array;
      const [ours, theirs] = [Uint8Array.from(encoded), Uint8Array.from(encoded)];
      const write = (): void => binding.writer!(place)(ours, number);
      if (mutator.mutate(theirs, place, number) === true) {
        write();
        counts.changed += 1;
      } else {
        expect(write).toThrow(DecodeError);
        counts.absent += 1;
      }
      expect(ours).toEqual(theirs);
    }
  }
  expect(counts.changed).toBeGreaterThan(40);
  expect(counts.absent).toBeGreaterThan(5);
});
