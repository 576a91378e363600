/** What becomes of a program's build: what is missing, what the compiler said, and a cache that is not as it was left. */
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, afterEach, describe, expect, it, vi } from "vitest";
import { cacheFolder } from "../../dist/catalog/cache-folder.js";
import { builtNative } from "../../dist/runtimes/native/build.js";
import { nativePrograms } from "../../dist/runtimes/native/manifest.js";
import { itWith } from "../references.ts";

const folder = mkdtempSync(path.join(os.tmpdir(), "wirebench-builds-"));
afterEach(() => vi.unstubAllEnvs());
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function program(name: string) {
  const found = nativePrograms().find((one) => one.name === name);
  if (found === undefined) throw new Error(`no ${name}`);
  return found;
}

function cacheIn(name: string): string {
  const cache = path.join(folder, name);
  vi.stubEnv("XDG_CACHE_HOME", cache);
  return path.join(cache, "wirebench", "native");
}

describe("a program's build", () => {
  it("says by one command what to install", async () => {
    const empty = path.join(folder, "empty");
    mkdirSync(empty);
    vi.stubEnv("PATH", empty);
    expect(await builtNative(program("cpp/capnp"))).toMatchObject({
      missing:
        "g++, capnp, pkg-config, libcapnp-dev not found: apt-get install g++ capnproto pkg-config libcapnp-dev",
    });
  });

  it("is kept in the home folder where the cache folder is relative", () => {
    vi.stubEnv("XDG_CACHE_HOME", "relative");
    expect(cacheFolder("native")).toBe(path.join(os.homedir(), ".cache", "wirebench", "native"));
  });

  itWith("g++")("fails with what the linker said, and leaves nothing", async () => {
    const cache = cacheIn("linker");
    const outcome = await builtNative(program("cpp/raw-struct"), { cxxflags: ["nonsense"] });
    expect(outcome).toMatchObject({ failed: expect.stringMatching(/^g\+\+: .*nonsense/) });
    expect(readdirSync(cache)).toEqual([]);
  });

  itWith("g++")("is made anew where what the cache has does not start", async () => {
    const cache = cacheIn("damaged");
    const onBuild = vi.fn();
    expect(await builtNative(program("cpp/raw-struct"), {}, onBuild)).toHaveProperty("hello");
    const [built = ""] = readdirSync(cache);
    // Not into the file itself: a process that has just said hello may still have it open.
    rmSync(path.join(cache, built, "program"));
    writeFileSync(path.join(cache, built, "program"), "garbage\n", { mode: 0o755 });
    expect(await builtNative(program("cpp/raw-struct"), {}, onBuild)).toHaveProperty("hello");
    expect(await builtNative(program("cpp/raw-struct"), {}, onBuild)).toHaveProperty("hello");
    expect(onBuild).toHaveBeenCalledTimes(2);
    expect(readdirSync(cache)).toEqual([built]);
  });

  itWith("g++")("leaves nothing where it is interrupted", async () => {
    const cache = cacheIn("interrupted");
    const controller = new AbortController();
    const build = builtNative(program("cpp/raw-struct"), { signal: controller.signal }, () =>
      setTimeout(() => controller.abort(new Error("interrupted")), 50),
    );
    await expect(build).rejects.toThrow("interrupted");
    expect(readdirSync(cache)).toEqual([]);
  });

  itWith("g++")("names a cache folder that cannot be written to", async () => {
    const file = path.join(folder, "file");
    writeFileSync(file, "");
    vi.stubEnv("XDG_CACHE_HOME", file);
    expect(await builtNative(program("cpp/raw-struct"))).toMatchObject({
      failed: `the cache folder ${file}/wirebench/native cannot be written to (ENOTDIR): set XDG_CACHE_HOME`,
    });
  });

  itWith("python3")("needs no cache folder where nothing is compiled", async () => {
    const file = path.join(folder, "no-folder");
    writeFileSync(file, "");
    vi.stubEnv("XDG_CACHE_HOME", file);
    expect(await builtNative(program("python/standard"))).toHaveProperty("hello");
  });
});
