/** Scripts for pages: what was counted does what the codec does. */
import path from "node:path";
import { describe, expect, it } from "vitest";
import { namedDataset } from "../../src/catalog/dataset.ts";
import { Registry } from "../../src/catalog/registry.ts";
import { bundleFact, bundlesOf, findBundler } from "../../src/facts/bundle.ts";
import { librariesTable, libraryNotes } from "../../src/reports/sections/libraries.ts";
import { encodeValue } from "../../src/schema/values/transcode.ts";

const registry = await Registry.open([]);
const bundler = (await findBundler())!;
const codecs = await Promise.all(registry.names("codecs").map((name) => registry.codec(name)));
const onPages = codecs.filter(({ page }) => page !== undefined);

/** These import what only Node has. */
const NODE_ONLY = ["amf3", "avsc", "erlang-etf", "python-pickle"];

interface Script {
  readonly decode: (bytes: Uint8Array) => unknown;
  readonly encode?: (message: unknown) => Uint8Array;
}

const load = (script: string): Promise<Script> =>
  import(`data:text/javascript;base64,${Buffer.from(script).toString("base64")}`);

describe.each(["tellist", "speed-small"])("%s", async (name) => {
  const dataset = await namedDataset(registry, name);

  it.each(
    onPages.filter((codec) => !NODE_ONLY.includes(codec.name)).map((codec) => [codec.name, codec] as const),
  )("%s", async (_, codec) => {
    let bytes: Uint8Array;
    try {
      bytes = Uint8Array.from(encodeValue(await codec.bind(dataset), dataset.values[0]!) as Uint8Array);
    } catch {
      return;
    }
    const scripts = await bundlesOf(bundler, await codec.page!(dataset), path.dirname(codec.file));
    const [half, both] = [await load(scripts.decode), await load(scripts.both)];
    expect(half.encode).toBeUndefined();
    expect(Buffer.from(both.encode!(both.decode(bytes))).toString("hex")).toBe(
      Buffer.from(bytes).toString("hex"),
    );
    expect(half.decode(bytes)).toBeDefined();
  });
});

describe("facts", () => {
  it("says what a page lacks", async () => {
    const dataset = await namedDataset(registry, "tellist");
    for (const codec of onPages.filter(({ name }) => NODE_ONLY.includes(name))) {
      const fact = await bundleFact(bundler, codec, dataset, path.dirname(codec.file));
      expect(fact?.problem).toMatch(/^it needs [\w/]+ of Node$/);
    }
  });

  it("says which line of a script could not be bundled", async () => {
    const dataset = await namedDataset(registry, "tellist");
    const page = () => ({ shared: 'import { x } from "no-such-package";', decode: "x();", encode: "" });
    const fact = await bundleFact(bundler, { page }, dataset, import.meta.dirname);
    expect(fact?.problem).toBe('Could not resolve "no-such-package"');
  });

  it("has no columns, and one line, where there is no esbuild", () => {
    const row = { codec: "json", library: "node", version: "20.0.0" };
    const facts = { table: "libraries", dataset: "tellist", refused: {}, rows: [row] } as const;
    expect(librariesTable(facts).columns.map(({ heading }) => heading)).not.toContain("gzip");
    expect(libraryNotes(facts).at(-1)).toBe("bundle: esbuild is not installed: npm install esbuild");
  });
});
