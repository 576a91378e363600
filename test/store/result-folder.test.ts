/** Where results go, and that no run takes the folder of another. */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { UsageError } from "../../src/model/errors.ts";
import { readRecord } from "../../src/store/read-record.ts";
import { ResultFolder, saveRecovered } from "../../src/store/result-folder.ts";
import { measured, recordOf } from "../reports/record.ts";

const home = process.cwd();
let folder: string;

beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), "wirebench-results-"));
  process.chdir(folder);
  vi.useFakeTimers({ now: new Date("2026-11-20T12:30:05.999Z"), toFake: ["Date"] });
  vi.spyOn(os, "hostname").mockReturnValue("my host.local");
});

afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
  process.chdir(home);
  rmSync(folder, { recursive: true, force: true });
});

describe("a results folder", () => {
  it.skipIf(process.platform !== "linux")("is refused where none can be made", () => {
    expect(() => new ResultFolder("/proc/wirebench/below")).toThrow(
      new UsageError(
        "/proc/wirebench/below: cannot be written to (ENOENT): a folder of its path is not there",
      ),
    );
    rmSync(folder, { recursive: true });
    expect(() => new ResultFolder("below")).toThrow(
      "below: cannot be written to (ENOENT): a folder of its path",
    );
    expect(() => new ResultFolder()).toThrow("cannot be written to (ENOENT): a folder of its path");
    process.chdir(home);
  });

  it.each(["run.json", "report.md"])("is refused where %s is a folder", (name) => {
    mkdirSync(path.join(folder, "taken", name), { recursive: true });
    expect(() => new ResultFolder("taken")).toThrow(
      new UsageError(`${path.join("taken", name)}: cannot be written to (EISDIR)`),
    );
  });

  it("that is gone says so when it is to be written to", () => {
    const results = new ResultFolder("gone");
    rmSync("gone", { recursive: true });
    expect(() => results.save(recordOf([]))).toThrow(
      new UsageError(
        `${path.join("gone", "run.json")}: cannot be written to (ENOENT): a folder of its path is not there`,
      ),
    );
  });

  it("is called after the second and the host, and has a number where a run has that name", () => {
    const name = path.join("results", "2026-11-20T12-30-05Z-my-host-local");
    const paths = Array.from({ length: 3 }, () => new ResultFolder().path);
    expect(paths).toEqual([name, `${name}-2`, `${name}-3`]);
    expect(readdirSync("results").toSorted()).toEqual(paths.map((made) => path.basename(made)).toSorted());
  });

  it("holds the record and its report, and nothing that was half written", () => {
    const record = recordOf([measured("json", "encode", 2617, 5234)]);
    const results = new ResultFolder("given/by/name");
    const { path: made } = results;
    expect(made).toBe("given/by/name");
    results.save({ ...record, complete: false });
    results.save(record);
    expect(readdirSync(made).toSorted()).toEqual(["plots", "report.html", "report.md", "run.json"]);
    expect(readdirSync(path.join(made, "plots"))).toEqual(["1-1-tellist-encode.svg"]);
    expect(readRecord(path.join(made, "run.json"))).toEqual(record);
    expect(readFileSync(path.join(made, "report.md"), "utf8")).toMatch(/^# wirebench report\n/);
  });

  it("holds the pictures of its record beside the report, and none of the one before", () => {
    const results = new ResultFolder("pictures");
    const cells = ["encode", "decode"].map((operation) => measured("json", operation, 2617, 5234));
    results.save(recordOf(cells));
    results.save(recordOf(cells.slice(1)));
    expect(readdirSync(path.join("pictures", "plots"))).toEqual(["1-1-tellist-decode.svg"]);
    expect(readFileSync(path.join("pictures", "report.md"), "utf8")).toContain(
      "\n![decode of tellist: json 5.23 µs](plots/1-1-tellist-decode.svg)\n",
    );
  });

  it("leaves pictures that the user put beside its own", () => {
    const record = recordOf([measured("json", "encode", 2617, 5234)]);
    const results = new ResultFolder("beside");
    results.save(record);
    const logo = path.join("beside", "plots", "logo.svg");
    writeFileSync(logo, "kept");
    results.save(record);
    writeFileSync(path.join("beside", "journal.ndjson"), "");
    saveRecovered("beside", record);
    expect(readdirSync(path.join("beside", "plots"))).toEqual(["1-1-tellist-encode.svg", "logo.svg"]);
    expect(readFileSync(logo, "utf8")).toBe("kept");
  });

  it.each(["journal.ndjson", "doctor.json", "messages.csv"])(
    "is refused where there are pictures, which are left as they were, and no %s is",
    (claim) => {
      const logo = path.join("mine", "plots", "logo.svg");
      mkdirSync(path.dirname(logo), { recursive: true });
      writeFileSync(logo, "kept");
      expect(() => new ResultFolder("mine", ["run.json"], claim)).toThrow(
        new UsageError(
          `${logo}: a run does not write beside other pictures: expected another folder, or one without them`,
        ),
      );
      expect(readdirSync("mine")).toEqual(["plots"]);
      expect(readFileSync(logo, "utf8")).toBe("kept");
    },
  );

  it("may be one with a folder for pictures that holds none of them", () => {
    mkdirSync(path.join("mine", "plots"), { recursive: true });
    writeFileSync(path.join("mine", "plots", "notes.txt"), "kept");
    new ResultFolder("mine").save(recordOf([measured("json", "encode", 2617, 5234)]));
    expect(readdirSync(path.join("mine", "plots"))).toEqual(["1-1-tellist-encode.svg", "notes.txt"]);
  });

  it("is refused where there is any other file that is going to be written", () => {
    mkdirSync("compared");
    writeFileSync(path.join("compared", "comparison.json"), "kept");
    expect(() => new ResultFolder("compared", ["run.json", "comparison.json"])).toThrow(
      `${path.join("compared", "comparison.json")}: there are results of another run`,
    );
    expect(readdirSync("compared")).toEqual(["comparison.json"]);
  });

  it.each(["run.json", "report.md", "report.html", "doctor.json", "messages.csv"])(
    "is refused where there is %s of an earlier run, and left as it was",
    (name) => {
      mkdirSync("earlier");
      writeFileSync(path.join("earlier", name), "kept");
      for (const claim of ["journal.ndjson", "doctor.json", "messages.csv"]) {
        expect(() => new ResultFolder("earlier", ["run.json"], claim)).toThrow(
          new UsageError(
            `${path.join("earlier", name)}: there are results of another run, which are not overwritten: expected another folder, or one without them`,
          ),
        );
        expect(readdirSync("earlier")).toEqual([name]);
        expect(readFileSync(path.join("earlier", name), "utf8")).toBe("kept");
      }
    },
  );

  it.each(["journal.ndjson", "doctor.json", "messages.csv"])(
    "is one run's alone from the beginning: %s tells the next one",
    (claim) => {
      const make = (): ResultFolder => new ResultFolder("claimed", ["run.json"], claim);
      make();
      expect(make).toThrow(UsageError);
      expect(() => new ResultFolder("claimed")).toThrow(UsageError);
      expect(() => new ResultFolder("claimed", ["doctor.json"], "doctor.json")).toThrow(UsageError);
      expect(readdirSync("claimed")).toEqual([claim]);
    },
  );

  it("is refused where there can be none", () => {
    writeFileSync("results", "");
    expect(() => new ResultFolder()).toThrow(UsageError);
    expect(() => new ResultFolder(path.join("results", "below"))).toThrow(
      `${path.join("results", "below")}: cannot be written to (ENOTDIR)`,
    );
  });
});
