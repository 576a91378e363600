/** `wirebench native`, and what the commands that build reference programs do when they are interrupted. */
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { itWith } from "../references.ts";
import { interrupted, wirebench } from "./wirebench.ts";

const FAKES = path.join(import.meta.dirname, "../native");
const folder = mkdtempSync(path.join(os.tmpdir(), "wirebench-natives-"));
const cache = path.join(folder, "cache", "wirebench", "native");
beforeEach(() => {
  vi.stubEnv("XDG_CACHE_HOME", path.join(folder, "cache"));
  vi.stubEnv("WIREBENCH_PYAMF27", undefined);
});
afterEach(() => vi.unstubAllEnvs());
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Row {
  readonly program: string;
  readonly system: string;
  readonly state: string;
  readonly about: string;
}

async function rowsOf(...args: string[]): Promise<{ code: number | null; rows: Row[] }> {
  const { code, stdout } = await wirebench(["native", ...args, "--json"]);
  return { code, rows: JSON.parse(stdout) as Row[] };
}

/** A folder with programs of Node of one language and version, each with these systems. */
function twins(systems: Readonly<Record<string, readonly string[]>>): string {
  const place = mkdtempSync(path.join(folder, "twins-"));
  for (const [program, names] of Object.entries(systems)) {
    const about = {
      format: "json",
      library: "lib",
      codec: "json",
      datasets: ["tellist"],
      operations: ["encode"],
    };
    mkdirSync(path.join(place, program));
    const base = path.join(place, program, "one");
    const manifest = {
      language: "Twin",
      program: "one.js",
      systems: names.map((name) => ({ name, ...about })),
    };
    writeFileSync(`${base}.json`, JSON.stringify(manifest));
    const hello = { hello: { protocol: 1, language: "Twin", compiler: "t 1", libraries: { lib: "1.2" } } };
    writeFileSync(`${base}.js`, `#!/usr/bin/env node\nconsole.log(${JSON.stringify(JSON.stringify(hello))})`);
    chmodSync(`${base}.js`, 0o755);
  }
  return place;
}

describe("native", () => {
  itWith("g++")("list builds nothing, and says what is not built", async () => {
    const { code, rows } = await rowsOf("list", "--folder", FAKES);
    expect(code).toBe(1);
    expect(existsSync(cache)).toBe(false);
    const about = Object.fromEntries(rows.map((row) => [row.program, `${row.state}: ${row.about}`]));
    expect(about["broken/broken"]).toBe("not built: wirebench native build");
    expect(about["old/old"]).toBe("failed: protocol: expected 1, got 0: build it anew");
    expect(rows.find(({ system }) => system === "json (Fake 1.2)")).toMatchObject({ state: "ready" });
    const built = await rowsOf("build", "--folder", FAKES);
    expect(built.code).toBe(1);
    expect(built.rows.find(({ program }) => program === "broken/broken")).toMatchObject({
      state: "failed",
      about: expect.stringMatching(/^g\+\+: .*error: .no_such_thing. was not declared/),
    });
  });

  it("list has each name once", async () => {
    const { rows } = await rowsOf("list");
    const names = rows.map(({ system, program }) => (program === "cpp/ipc" ? `${system} of ipc` : system));
    expect(names.toSorted()).toEqual([...new Set(names)].toSorted());
    const own = await rowsOf("list", "--folder", twins({ a: ["x", "y"], b: ["x"], c: ["x"] }));
    expect(own.rows.map(({ system }) => system)).toEqual([
      "x (Twin 1.2)",
      "y (Twin 1.2)",
      "x (Twin 1.2, b/one)",
      "x (Twin 1.2, c/one)",
    ]);
  });

  it("gives the rows of a run names of their own", async () => {
    const place = twins({ a: ["x"], b: ["x"] });
    const args = ["run", "-c", "json", "--native", place, "--profile", "quick", "-o", "encode", "--json"];
    const { stdout } = await wirebench([...args, "--out", path.join(folder, "twin-run")]);
    const { cells } = JSON.parse(stdout) as { cells: { codec: string; reason?: string }[] };
    const failed = cells.filter(({ reason }) => reason !== undefined);
    expect(failed.map(({ codec }) => codec)).toEqual(["x (Twin 1.2)", "x (Twin 1.2, b/one)"]);
  });

  it.each([[{ a: ["x", "x"] }, 'expected "x" once, got it twice']])(
    "refuses a manifest with a name twice",
    async (systems, problem) => {
      const { code, stderr } = await wirebench(["native", "list", "--folder", twins(systems)]);
      expect(code).toBe(2);
      expect(stderr).toContain(problem);
    },
  );

  it.each([
    [["native", "lost"], 'native: unknown "lost", did you mean list?'],
    [["native", "ipc"], 'native: unknown "ipc", expected one of list, build, verify'],
    [["ipc", "latency", "--cxxflags", "-O3"], "--cxxflags needs --native"],
    [
      ["ipc", "latency", "--native", "--transport", "tcp"],
      "the originals send over uds, got the transport tcp",
    ],
    [
      ["run", "-c", "protobuf (C++ 3.21)"],
      "(an original is measured beside protobufjs: -c protobufjs --native)",
    ],
    [["run", "-c", "pickle:1 (CPython 3.11)"], "beside python-pickle:1: -c python-pickle:1 --native)"],
    [["verify", "-c", "flatbuffers:reused"], "beside flatbuffers: -c flatbuffers --native)"],
    [["ipc", "latency", "-c", "capnp (C++ 0.9)"], "beside capnp-ts: -c capnp-ts --native)"],
  ])("%j is refused", async (args, problem) => {
    const { code, stderr } = await wirebench(args);
    expect(code).toBe(2);
    expect(stderr).toContain(problem);
    expect(stderr.trim().split("\n")).toHaveLength(1);
  });

  it("gives a codec that there is not at all no such hint", async () => {
    const { stderr } = await wirebench(["run", "-c", "protobufj"]);
    expect(stderr).toBe(
      'error: unknown codec "protobufj", did you mean protobufjs or protobuf-es or protobuf-ts?\n',
    );
  });
});

describe("Ctrl-C in a build", () => {
  const tools = path.join(folder, "tools");
  const pids = path.join(folder, "pids");
  mkdirSync(tools);
  for (const tool of ["sh", "sleep"]) symlinkSync(`/bin/${tool}`, path.join(tools, tool));
  for (const tool of ["protoc", "flatc", "capnp", "pkg-config"])
    writeFileSync(path.join(tools, tool), "#!/bin/sh\necho 1\n", { mode: 0o755 });
  // A compiler that never ends, nor does what it starts, and both are deaf to Ctrl-C.
  writeFileSync(
    path.join(tools, "g++"),
    `#!/bin/sh
[ "$1" = --version ] && echo "g++ 1" && exit
trap "" INT TERM
sleep 300 &
echo $$ $! >> ${pids}
wait
`,
    { mode: 0o755 },
  );

  it.each([
    [["run", "--native", "-c", "raw-struct"]],
    [["native", "build"]],
    [["native", "verify"]],
    [["classic", "address-book", "--native"]],
    [["classic", "interprocess", "--native"]],
    [["claims", "--only", "fb-encode-faster"]],
    [["ipc", "latency", "--native"]],
  ])("ends %j and the compiler at once, and leaves nothing", async (args) => {
    vi.stubEnv("PATH", tools);
    rmSync(pids, { force: true });
    const out = args[0] === "native" ? [] : ["--out", path.join(folder, `out-${args.slice(0, 2).join("-")}`)];
    let from = 0;
    const { code, stderr } = await interrupted([...args, ...out], (text) => {
      const isBuilding = text.includes("building ");
      if (isBuilding && from === 0) from = Date.now();
      return isBuilding;
    });
    expect(code, stderr).toBe(130);
    expect(stderr).not.toContain("bug");
    expect(Date.now() - from).toBeLessThan(30_000);
    expect(readdirSync(cache)).toEqual([]);
    const started = existsSync(pids) ? readFileSync(pids, "utf8").split(/\s+/).filter(Boolean) : [];
    // Whoever inherits a process that was killed takes it off the list a moment later.
    for (const pid of started) await expect.poll(() => existsSync(`/proc/${pid}`)).toBe(false);
  });
});
