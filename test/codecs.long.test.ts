import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Registry } from "../src/catalog/registry.ts";
import tellist from "../src/datasets/tellist.ts";
import type { Binding } from "../src/model/codec.ts";
import type { Dataset } from "../src/model/dataset.ts";
import { UnsupportedError } from "../src/model/errors.ts";
import { bookFor } from "./address-book.ts";
import { datasetFor, datasets } from "./arbitrary-schema.ts";
import {
  expectAccess,
  expectOverwrites,
  expectPartialReads,
  expectRoundTrips,
  expectSafeOnDamage,
  expectTruncationRefused,
} from "./codec-contract.ts";
import { runs, SEED } from "./seed.ts";

fc.configureGlobal({ seed: SEED });

const RUNS = runs(300);
const registry = await Registry.open();
const names = await registry.selectCodecs(["*"]);
const codecs = await Promise.all(names.map((name) => registry.codec(name)));
const protobufs = new Set(codecs.filter(({ format }) => format === "protobuf").map(({ name }) => name));
const address: Omit<Dataset, "values"> = { name: "tellist", schema: tellist.schema, int64: "number" };

describe.each(names)("%s", (name) => {
  const book = { ...address, values: [0, 1, 2, 3].map((index) => bookFor(name, 37, index)) };

  it("carries the address book", async () => {
    const codec = await registry.codec(name);
    const binding = await codec.bind(book);
    expectRoundTrips(codec, binding, book);
    expectAccess(codec, binding, book);
    expectPartialReads(codec, binding, book);
    expectOverwrites(codec, binding, book, 37);
  });

  it("survives damaged bytes of the address book", async () => {
    const codec = await registry.codec(name);
    const small = { ...book, values: [bookFor(name, 3, 0), bookFor(name, 3, 1)] };
    const counts = expectSafeOnDamage(codec, await codec.bind(small), small, { seed: 1, mutants: 4000 });
    if (name !== "json:string") expect(counts.refused).toBeGreaterThan(0);
  });

  // A protobuf message may end after any field: what is cut there is a shorter list.
  it.skipIf(protobufs.has(name))("refuses every truncation of the address book", async () => {
    const codec = await registry.codec(name);
    const small = { ...book, values: [bookFor(name, 5, 0)] };
    expectTruncationRefused(codec, await codec.bind(small), small);
  });

  it("round-trips random schemas and values, or says that it is unsupported", async () => {
    const codec = await registry.codec(name);
    let carried = 0;
    let overwritten = 0;
    await fc.assert(
      fc.asyncProperty(datasets(), async (given) => {
        const dataset = datasetFor(name, given);
        let binding: Binding;
        try {
          binding = await codec.bind(dataset);
        } catch (error) {
          if (error instanceof UnsupportedError) return;
          throw error;
        }
        carried += 1;
        expectRoundTrips(codec, binding, dataset);
        expectAccess(codec, binding, dataset);
        expectPartialReads(codec, binding, dataset);
        overwritten += expectOverwrites(codec, binding, dataset, 2);
        expectSafeOnDamage(codec, binding, dataset, { seed: 2, mutants: 40 });
      }),
      { numRuns: RUNS },
    );
    expect(carried).toBeGreaterThan(RUNS / 6);
    if (["flatbuffers", "capnp-ts", "raw-struct"].includes(name))
      expect(overwritten).toBeGreaterThan(RUNS / 15);
  });
});
