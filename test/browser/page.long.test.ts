/** Pages of runs in Chromium; skipped where there is none. */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, expect, it } from "vitest";
import { answersOf } from "../../src/analysis/answer/answer.ts";
import { linkCosts } from "../../src/analysis/link/costs.ts";
import type { Cell, RunRecord } from "../../src/model/records/run.ts";
import type { Trait } from "../../src/model/traits.ts";
import { renderPage } from "../../src/reports/page/page.ts";
import { formatNanos } from "../../src/reports/units.ts";
import { chromium, describeWith } from "../references.ts";
import { fullCell, standing } from "../reports/full-record.ts";
import { recordOf, refused } from "../reports/record.ts";
import { Browser } from "./chromium.ts";

/** Where screenshots go that somebody wants to look at; nowhere by default. */
const LOOK = process.env["WIREBENCH_SCREENSHOTS"];

const CODECS: readonly (readonly [string, number, number, readonly Trait[]])[] = [
  ["json", 2617, 15_000, ["schemaless", "self-describing", "evolves"]],
  ["msgpackr", 1849, 8190, ["schemaless", "self-describing", "evolves", "binary"]],
  ["protobufjs", 841, 6440, ["evolves", "binary", "needs-eval"]],
  ["raw-struct", 1784, 1610, ["binary", "zero-copy", "bounded"]],
];

/** A record of four codecs, two operations and a codec that failed, on data of two kinds. */
function sample(): RunRecord {
  const cells = CODECS.flatMap(([codec, bytes, nanos, traits]): Cell[] =>
    ["encode", "decode"].map((operation, i) => ({
      ...fullCell(codec, operation, nanos * (1 + 0.3 * i)),
      bytes,
      traits,
      ...(codec === "raw-struct" && { world: "C" as const }),
      standing: standing({
        ratio: nanos / 15_000,
        verdict: codec === "json" ? "same" : "faster",
        tier: 5 - Math.ceil(nanos / 5000),
      }),
    })),
  );
  const payloads = CODECS.map(([codec, bytes]) => ({
    dataset: "tellist",
    codec,
    bytes,
    gzip: Math.round(bytes / 3) + 90,
    brotli: Math.round(bytes / 4) + 80,
  }));
  const record = recordOf([...cells, refused("broken", "encode", "failed", "it fails </script>")], payloads);
  const compression = payloads.flatMap(({ dataset, codec, gzip }) => ({
    dataset,
    codec,
    algorithm: "gzip" as const,
    level: 6,
    bytes: gzip,
    compressNanos: 20_000,
    compressCi95: [19_000, 21_000] as const,
    decompressNanos: 8000,
    decompressCi95: [7800, 8200] as const,
  }));
  const second = record.datasets.map((one) => ({ ...one, name: "other" }));
  const whole = {
    ...record,
    datasets: [...record.datasets, ...second],
    cells: [...record.cells, ...record.cells.map((cell) => ({ ...cell, dataset: "other" }))],
    compression,
  };
  return { ...whole, answer: answersOf(whole) };
}

const installed = chromium();

describeWith(installed)("a page in Chromium", () => {
  const folder = mkdtempSync(path.join(tmpdir(), "wirebench-page-"));
  const file = path.join(folder, "report.html");
  const url = pathToFileURL(file).href;
  const record = sample();
  let browser: Browser;
  beforeAll(async () => {
    writeFileSync(file, renderPage(record));
    browser = await Browser.start(installed.program!);
  });
  afterAll(async () => {
    await browser?.close();
    rmSync(folder, { recursive: true });
  });

  const first = 'document.querySelector("section")';
  const shown = (): Promise<string[]> =>
    browser.run(
      `[...${first}.querySelectorAll("table.codecs tbody tr")].filter((row) => !row.hidden).map((row) => row.dataset.codec)`,
    );
  const click = (selector: string): Promise<unknown> =>
    browser.run(`${first}.querySelector(${JSON.stringify(selector)}).click()`);

  it("asks for nothing, and has no error", async () => {
    await browser.open(url);
    expect(browser.requests).toEqual([url]);
    expect(browser.errors).toEqual([]);
  });

  it("sorts by a column, up, down and as it was; what has no figure is last", async () => {
    await browser.open(url);
    const original = await shown();
    const time = 'th[data-name="encode time"] button';
    await click(time);
    expect(await shown()).toEqual(["raw-struct", "protobufjs", "msgpackr", "json", "broken"]);
    expect(await browser.run(`${first}.querySelectorAll("[aria-sort=ascending]").length`)).toBe(1);
    await click(time);
    expect(await shown()).toEqual(["json", "msgpackr", "protobufjs", "raw-struct", "broken"]);
    await click(time);
    expect(await shown()).toEqual(original);
    await click('th[data-column="0"] button');
    expect(await shown()).toEqual(["broken", "json", "msgpackr", "protobufjs", "raw-struct"]);
  });

  it("filters by traits and by name, in the table, the link and the pictures", async () => {
    await browser.open(url);
    await click("input[data-trait=evolves]");
    expect(await shown()).toEqual(["json", "msgpackr", "protobufjs"]);
    await click("input[data-trait=binary]");
    expect(await shown()).toEqual(["msgpackr", "protobufjs"]);
    expect(await browser.run(`${first}.querySelector("[data-count]").textContent`)).toBe("2 of 5 codecs");
    const listed = `[...${first}.querySelectorAll(".bars li")].filter((one) => !one.hidden).map((one) => one.dataset.codec).sort()`;
    expect(await browser.run(listed)).toEqual(["msgpackr", "protobufjs"]);
    expect(
      await browser.run(
        `[...new Set([...${first}.querySelectorAll("svg .off")].map((one) => one.dataset.codec))].sort()`,
      ),
    ).toEqual(["json", "raw-struct"]);
    await browser.run(
      `{ const box = ${first}.querySelector("input[type=search]"); box.value = "PROTO"; box.dispatchEvent(new Event("input")); }`,
    );
    expect(await shown()).toEqual(["protobufjs"]);
    // The other dataset's table is its own.
    expect(
      await browser.run(
        'document.querySelectorAll("section")[1].querySelectorAll("tbody tr[hidden]").length',
      ),
    ).toBe(0);
  });

  it("says for each link what Node reckons", async () => {
    await browser.open(url);
    for (let power = 4; power <= 11.001; power += 0.35) {
      const value = (Math.round(power / 0.05) * 0.05).toFixed(2);
      const bandwidth = Number((10 ** Number(value)).toPrecision(3));
      const [costs] = linkCosts(record, "tellist", [bandwidth]);
      await browser.run(
        `{ const slider = ${first}.querySelector("input[type=range]"); slider.value = "${value}"; slider.dispatchEvent(new Event("input")); }`,
      );
      const winner = await browser.run<string>(`${first}.querySelector("[data-winner]").textContent`);
      expect(winner).toContain(costs!.winner.choice.codec);
      expect(winner).toContain(formatNanos(costs!.winner.nanos));
      for (const name of costs!.level) expect(winner).toContain(name);
      const cells = await browser.run(
        `[...${first}.querySelectorAll("td[data-link]")].map((cell) => [cell.closest("tr").dataset.codec, cell.textContent]).filter(([, text]) => text !== "")`,
      );
      expect(cells).toEqual(costs!.best.map(({ choice, nanos }) => [choice.codec, formatNanos(nanos)]));
    }
    const winners = [1e4, 1e11].map(
      (bandwidth) => linkCosts(record, "tellist", [bandwidth])[0]!.winner.choice.codec,
    );
    expect(new Set(winners).size).toBe(2);
  });

  it("keeps what is chosen in its address", async () => {
    await browser.open(`${url}#sort0=1.up&only0=binary&link0=9&groups0=memory`);
    expect(await shown()).toEqual(["protobufjs", "raw-struct", "msgpackr"]);
    expect(await browser.run(`${first}.querySelector("[data-bandwidth]").textContent`)).toBe("1 Gbit/s");
    expect(
      await browser.run(`${first}.querySelector('[data-group=memory] button').getAttribute("aria-expanded")`),
    ).toBe("true");
    await click("input[data-trait=binary]");
    expect(await browser.run("location.hash")).toBe("#sort0=1.up&link0=9&groups0=memory");
    for (const odd of [
      "sort0=99.up",
      "sort0=__proto__",
      "link0=abc",
      "only0=,,x",
      "groups0=nothing",
      "%E0%A4%A",
    ]) {
      await browser.open(`${url}#${odd}`);
      expect(browser.errors, odd).toEqual([]);
    }
  });

  it("copies what is shown", async () => {
    await browser.open(`${url}#only0=evolves&sort0=1.up`);
    await browser.run(
      "{ globalThis.copied = []; Object.defineProperty(navigator, 'clipboard', { value: { writeText: async (text) => copied.push(text) } }); }",
    );
    await click("[data-copy=csv]");
    await click("[data-copy=markdown]");
    await browser.until("copied.length === 2");
    const [csv = "", markdown = ""] = await browser.run<string[]>("copied");
    expect(
      csv
        .split("\r\n")
        .slice(0, 4)
        .map((line) => line.split(",").slice(0, 2)),
    ).toEqual([
      ["codec", "size bytes"],
      ["protobufjs", "841"],
      ["msgpackr", "1849"],
      ["json", "2617"],
    ]);
    expect(markdown).toMatch(/^\| codec \| size bytes \|.*\n\| --- \| --: \|/);
    expect(markdown).toContain("| protobufjs | 841 |");
  });

  it("is used by the keyboard alone", async () => {
    await browser.open(url);
    const focused = "document.activeElement.closest('th')?.dataset.name";
    for (let i = 0; i < 40 && (await browser.run(focused)) !== "encode time"; i++) await browser.press("Tab");
    await browser.press("Enter", "Enter", "\r");
    expect((await shown())[0]).toBe("raw-struct");
    for (let i = 0; i < 60 && (await browser.run("document.activeElement.type")) !== "range"; i++)
      await browser.press("Tab");
    await browser.press("ArrowRight");
    expect(await browser.run("location.hash")).toContain("link0=8.05");
  });

  it.each([
    ["light", 1280],
    ["dark", 1280],
    ["light", 400],
    ["dark", 400],
  ] as const)("has nothing for axe to find, %s and %i pixels wide", async (value, width) => {
    await browser.send("Emulation.setEmulatedMedia", { features: [{ name: "prefers-color-scheme", value }] });
    await browser.open(`${url}#groups0=memory,facts`, width);
    expect(await browser.run("document.documentElement.scrollWidth")).toBeLessThanOrEqual(width);
    await browser.run('for (const fold of document.querySelectorAll("details")) fold.open = true');
    await browser.run(readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8"));
    const violations = await browser.run(
      "axe.run().then(({ violations }) => violations.map(({ id, nodes }) => [id, nodes.slice(0, 3).map(({ html, any }) => [html.slice(0, 200), any[0]?.message])]))",
    );
    expect(violations).toEqual([]);
    await look(`${value}-${width}`);
    await browser.send("Emulation.setEmulatedMedia", { features: [] });
  });

  it("prints without what is only for the screen", async () => {
    await browser.send("Emulation.setEmulatedMedia", { media: "print" });
    await browser.open(url);
    expect(
      await browser.run(
        '[...document.querySelectorAll("button[data-copy], input")].filter((one) => one.offsetParent !== null).length',
      ),
    ).toBe(0);
    const { data } = await browser.send("Page.printToPDF", {});
    expect(
      Buffer.from(data as string, "base64")
        .subarray(0, 5)
        .toString(),
    ).toBe("%PDF-");
    await browser.send("Emulation.setEmulatedMedia", { media: "" });
  });

  async function look(name: string): Promise<void> {
    if (LOOK === undefined) return;
    if (!existsSync(LOOK)) mkdirSync(LOOK);
    writeFileSync(path.join(LOOK, `${name}.png`), await browser.screenshot());
  }
});
