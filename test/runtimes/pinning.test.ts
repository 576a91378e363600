/** Cores that a measuring process is pinned to. */
import { execFileSync, spawnSync } from "node:child_process";
import os from "node:os";
import { describe, expect, it } from "vitest";
import { UsageError } from "../../src/model/errors.ts";
import { allowedCores, coresToPin, pinned } from "../../src/runtimes/launch/pinning.ts";

const hasTaskset =
  process.platform === "linux" && spawnSync("taskset", ["--version"], { stdio: "ignore" }).status === 0;

describe("the cores that a process may use", () => {
  it.each([
    ["0-3", [0, 1, 2, 3]],
    ["0,2-4,7", [0, 2, 3, 4, 7]],
    ["5", [5]],
  ])("are read from %s", (list, cores) => {
    expect(allowedCores(`Cpus_allowed:\tff\nCpus_allowed_list:\t${list}\nMems_allowed:\t1\n`)).toEqual(cores);
  });

  it("are not known where the system names none", () => {
    expect(allowedCores("")).toBeUndefined();
    expect(allowedCores("Cpus_allowed_list:\tall\n")).toBeUndefined();
  });
});

describe.skipIf(!hasTaskset)("pinning", () => {
  it("takes the last cores, and a process has as many then", () => {
    const cores = coresToPin(1);
    expect(cores).toHaveLength(1);
    const print = "process.stdout.write(String(require('node:os').availableParallelism()))";
    const [program = "", ...args] = pinned(cores, [process.execPath, "-e", print]);
    expect(execFileSync(program, args, { encoding: "utf8" })).toBe("1");
  });

  it("is refused where there are not as many", () => {
    expect(() => coresToPin(os.availableParallelism() + 1)).toThrow(UsageError);
    expect(() => coresToPin(os.availableParallelism() + 1)).toThrow(
      /^cores: expected at most \d+, which this/,
    );
  });

  it("is refused where its program is not there", () => {
    const { PATH } = process.env;
    try {
      process.env["PATH"] = "/nowhere";
      expect(() => coresToPin(1)).toThrow(/^cores: expected the program taskset/);
    } finally {
      process.env["PATH"] = PATH;
    }
  });
});

describe("a command that is not pinned", () => {
  it("is as it is", () => {
    expect(pinned(undefined, ["node", "-v"])).toEqual(["node", "-v"]);
    expect(pinned([2, 3], ["node", "-v"])).toEqual(["taskset", "--cpu-list", "2,3", "node", "-v"]);
  });
});
