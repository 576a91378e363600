/** Facts about the codecs that live here: no cell is wrong, but what their formats have no notion of. */
import { describe, expect, it } from "vitest";
import { namedDataset } from "../../src/catalog/dataset.ts";
import { Registry } from "../../src/catalog/registry.ts";
import { excerptOf } from "../../src/facts/excerpt.ts";
import { fidelityProbes } from "../../src/facts/fidelity.ts";
import { fidelityOf } from "../../src/facts/judge.ts";
import { at, placeIn, withAt } from "../../src/facts/places.ts";
import type { Value } from "../../src/model/value.ts";
import { always, field, list, schemaOf, textMap } from "../../src/schema/declare.ts";
import { conform } from "../../src/schema/values/conform.ts";

const registry = await Registry.open([]);
const DATASETS = ["tellist", "garden", "speed-small", "packet"];

/** Of JavaScript's own types, what another language has no type for: it comes back as the nearest that it has. */
const NEAREST: Readonly<Record<string, readonly string[]>> = {
  amf3: ["Buffer", "object without a prototype", "symbol as a key"],
  "python-pickle": ["Buffer", "object without a prototype", "symbol as a key", "Map"],
  "erlang-etf": [
    "Buffer",
    "Uint8Array",
    "object without a prototype",
    "symbol as a key",
    "Map",
    "order of keys",
    "shared reference",
  ],
};

describe.each(DATASETS)("%s", async (name) => {
  const dataset = await namedDataset(registry, name);
  const probes = fidelityProbes(dataset);

  it("is asked values that its schema has", () => {
    const outside = /lone surrogate|unknown number|: absent/;
    expect(probes.length).toBeGreaterThan(20);
    for (const probe of probes.filter((one) => one.isForeign !== true && !outside.test(one.name))) {
      const int64 = probe.int64 ?? dataset.int64;
      const base = conform(dataset.schema, dataset.values[0], { form: "plain", int64 }).value;
      const given = withAt(base, probe.place.steps, probe.given());
      expect(() => conform(dataset.schema, given, { form: "plain", int64 }), probe.name).not.toThrow();
    }
  });

  it.each(["amf3", "erlang-etf", "python-pickle", "python-struct", "raw-struct"])("%s", async (codecName) => {
    const codec = await registry.codec(codecName);
    for (const probe of probes) {
      if (probe.isForeign === true && codec.schemaless !== true) continue;
      const cell = await fidelityOf(codec, dataset, probe);
      if (NEAREST[codecName]?.some((one) => probe.name === `value: ${one}`)) continue;
      // It is not a float, and comes back as the nearest one.
      if (probe.name === "float: 0.1" && cell.outcome === "other")
        expect(cell.got).toBe(String(Math.fround(0.1)));
      else expect(["same", "error"], `${probe.name}: ${JSON.stringify(cell)}`).toContain(cell.outcome);
    }
  });
});

it.each(["python-struct", "raw-struct"])("%s is bound to what is asked, also of an excerpt", async (name) => {
  const dataset = excerptOf(await namedDataset(registry, "garden"));
  const codec = await registry.codec(name);
  const outcomes = new Map<string, string>();
  for (const probe of fidelityProbes(dataset).filter(({ name: asked }) => asked.startsWith("string: ")))
    outcomes.set(probe.name, (await fidelityOf(codec, dataset, probe)).outcome);
  // A lone surrogate is no UTF-8, and a C string ends at its NUL.
  const refused = [...outcomes].flatMap(([asked, outcome]) => (outcome === "same" ? [] : [asked]));
  const nul = name === "raw-struct" ? ["string: NUL", "string: NUL at the end"] : [];
  expect(refused).toEqual([...nul, "string: lone surrogate"]);
});

describe("places", () => {
  const inner = { name: "t.inner", fields: [field(1, "x", "double", always)] };
  const root = {
    name: "t.root",
    fields: [field(1, "by_key", inner, textMap), field(2, "all", inner, list)],
  };
  const schema = schemaOf("t", [root, inner], []);
  const value: Value = { by_key: { k: { x: 1 } }, all: [] };

  it("lead through the values of a map, not through its keys as fields", () => {
    const place = placeIn(schema, value, ({ name }) => name === "x");
    expect(place?.steps).toEqual(["by_key", "k", "x"]);
    expect(at(withAt(value, place!.steps, 5), place!.steps)).toBe(5);
    expect(placeIn(schema, { by_key: {}, all: [] }, ({ name }) => name === "x")).toBeUndefined();
  });
});
