/** Codecs are measured in a page of Chromium, from dist/ as a user's are. */

import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, afterEach, expect, it, vi } from "vitest";
import { type Dataset, run, verify } from "wirebench";
import { spawned } from "../cli/wirebench.ts";
import { chromium, describeWith } from "../references.ts";
import { copied, installedVersion } from "./library-copies.ts";
import { OWN } from "./own-dataset.ts";

const reference = chromium();
const runtimes = [`chromium:${reference.program}`];

/** Where browsers have their profiles, by a short path: nothing may be left there. */
const folder = mkdtempSync("/tmp/wirebench-");
process.env["TMPDIR"] = folder;
/** Whatever else tests write. */
const other = mkdtempSync("/tmp/wirebench-");
afterEach(() => void vi.unstubAllEnvs());
afterAll(() => {
  for (const one of [folder, other]) rmSync(one, { recursive: true, force: true });
});

/** A browser takes a second to start, and many on a busy machine. */
const PATIENCE = { timeout: 300_000 };

describeWith(reference)("codecs in a page", PATIENCE, () => {
  it("carry what they carry in Node, whatever that is, and the record says the same of it", async () => {
    const options = { codecs: ["json:string", "protobufjs", "python-pickle"], datasets: [OWN] };
    const here = await verify(options);
    const there = await verify({ ...options, runtimes });
    const figures = ({ cells }: typeof here): unknown[] =>
      cells.map(({ codec, status, bytes, reason }) => ({ codec, status, bytes, reason }));
    expect(figures(there)).toEqual(figures(here));
    expect(there.datasets).toEqual(here.datasets);
  });

  it("need nothing of Node where they are wirebench's own, or write into memory of the caller's", async () => {
    const into = ["cbor-x:into", "flatbuffers:into", "msgpackr:into", "protobufjs:into", "raw-struct:into"];
    const codecs = ["raw-struct", "erlang-etf:record", ...into];
    // MessagePack and CBOR, as those libraries write it, lose -0.
    const dataset: Dataset = { ...OWN, values: [{ ...(OWN.values[0] as object), double: [0.1] }] };
    const { cells } = await verify({ codecs, datasets: [dataset], runtimes });
    expect(cells.map(({ codec, status, reason }) => [codec, status, reason])).toEqual(
      cells.map(({ codec }) => [codec, "ok", undefined]),
    );
    expect(cells).toHaveLength(codecs.length);
    const { cells: timed } = await run({
      codecs: ["msgpackr:into", "flatbuffers:into"],
      datasets: [dataset],
      operations: ["encode"],
      profile: "quick",
      blocks: [0],
      runtimes,
    });
    expect(timed.filter(({ status }) => status !== "measured")).toEqual([]);
  });

  it("have what their library reads of its own files as it is imported", async () => {
    const { cells } = await verify({ codecs: ["pbf"], runtimes });
    expect(cells.map(({ status, reason }) => [status, reason])).toEqual([["ok", undefined]]);
  });

  it("are unsupported where they need what only Node has, with the reason", async () => {
    const { cells } = await verify({ codecs: ["v8", "avsc"], runtimes });
    expect(cells.map(({ codec, status, reason }) => [codec, status, reason])).toEqual([
      ["v8", "unsupported", "it needs v8 of Node, which a page does not have"],
      ["avsc", "unsupported", expect.stringMatching(/^it needs \w+ of Node, which a page does not have$/)],
    ]);
  });

  it("are measured beside those of Node, and the record says in what, by which clock, and what is absent", async () => {
    const record = await run({
      codecs: ["json"],
      operations: ["decode"],
      profile: "quick",
      blocks: [0, 1],
      runtimes: ["node", ...runtimes],
    });
    const [node, page] = record.runtimes;
    expect(node).not.toHaveProperty("isolated");
    expect(page).toMatchObject({
      label: "chromium",
      name: "chromium",
      version: expect.stringMatching(/^\d+(\.\d+){3}$/),
      engine: { name: "V8", version: expect.stringMatching(/^\d+\.\d+/) },
      timeSource: "wall",
      isolated: true,
    });
    // Of a page that is not isolated it is 100 µs.
    expect(page?.clockStepNanos).toBeLessThan(50_000);
    const cell = record.cells.find(({ codec }) => codec === "json (chromium)");
    expect(cell?.nanos?.blocks).toEqual([0, 1]);
    expect(cell?.memoryReason).toMatch(
      /^chromium \d.*: a page is not told what its calls allocate, and has no zlib of Node's$/,
    );
    expect(cell).not.toHaveProperty("memory");
    // The longest: of a machine that gets quieter later ones are shorter.
    const batch = Math.max(...(cell?.nanos?.batches[0] ?? [])) * (cell?.nanos?.batchCalls[0] ?? 0);
    expect(batch).toBeGreaterThan(100 * (page?.clockStepNanos ?? Number.POSITIVE_INFINITY));
    const payloads = record.payloads.map(({ codec, bytes, gzip }) => ({ codec, bytes, gzip }));
    expect(payloads[1]).toEqual({ ...payloads[0], codec: "json (chromium)" });
    expect(readdirSync(folder)).toEqual([]);
  });

  it("are measured together in one page too", async () => {
    const { cells } = await run({
      codecs: ["json", "protobufjs"],
      operations: ["encode"],
      profile: "quick",
      blocks: [0],
      jit: "shared",
      runtimes,
    });
    expect(
      cells.filter(({ twinOf }) => twinOf === undefined).map(({ codec, shared }) => [codec, shared?.blocks]),
    ).toEqual([
      ["json", [0]],
      ["protobufjs", [0]],
    ]);
  });

  it("have the version of their library that is asked for, beside the one at hand", async () => {
    vi.stubEnv("XDG_CACHE_HOME", other);
    const modules = path.join(other, "wirebench/libraries/msgpackr@0.0.1/node_modules");
    mkdirSync(modules, { recursive: true });
    symlinkSync(copied(other, "msgpackr", "0.0.1", "index.js"), path.join(modules, "msgpackr"));
    const { cells } = await verify({ codecs: ["msgpackr"], use: ["msgpackr@0.0.1"], runtimes });
    expect(cells.map(({ codec, version, reason }) => [codec, version, reason])).toEqual([
      ["msgpackr", installedVersion("msgpackr"), undefined],
      ["msgpackr@0.0.1", "0.0.1", expect.stringContaining("this is the copy")],
    ]);
  });

  it("make no code of strings where that is forbidden, and say so where they need it", async () => {
    const { cells, options } = await verify({
      codecs: ["raw-struct", "protobufjs"],
      noEval: true,
      runtimes: ["node", ...runtimes],
    });
    expect(options.noEval).toBe(true);
    expect(cells.map(({ codec, status }) => [codec, status])).toEqual([
      ["raw-struct (node)", "ok"],
      ["raw-struct (chromium)", "ok"],
      ["protobufjs (node)", "unsupported"],
      ["protobufjs (chromium)", "unsupported"],
    ]);
    expect(cells[2]?.reason).toMatch(/^Code generation from strings disallowed/);
    expect(cells[3]?.reason).toMatch(/Content Security Policy/);
  });

  it("need esbuild, and one line says so where it is nowhere", () => {
    const hide = path.join(other, "hide.cjs");
    writeFileSync(
      hide,
      `const Module = require("node:module");
const resolve = Module._resolveFilename;
Module._resolveFilename = function (name, ...rest) {
  if (name === "esbuild") throw new Error("hidden");
  return resolve.call(this, name, ...rest);
};`,
    );
    const env = { ...process.env, NODE_OPTIONS: `--require ${hide}` };
    for (const args of [
      ["verify", "--runtime", runtimes[0] ?? ""],
      ["run", "--serve"],
    ]) {
      const { code, stdout, stderr } = spawned([...args, "-c", "json"], { env });
      expect([code, stdout, stderr]).toEqual([
        2,
        "",
        "error: esbuild is not installed: npm install esbuild\n",
      ]);
    }
  });
});
