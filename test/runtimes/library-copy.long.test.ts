/** A measuring process that loads another copy of a library than the installed one. It runs from dist/. */
import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { currentRuntime } from "../../dist/runtimes/launch/find.js";
import { isolate } from "../../dist/runtimes/launch/isolate.js";
import type { Job, MemberResult } from "../../src/measure/job.ts";
import { PROFILES } from "../../src/measure/profiles.ts";
import type { LibraryCopy } from "../../src/model/codec.ts";
import { copied, withDependencies } from "./library-copies.ts";

const folder = mkdtempSync(path.join(os.tmpdir(), "wirebench-copy-test-"));
beforeAll(() => withDependencies(folder));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const TIMEOUT_SECONDS = 50;

/** A folder from which importing the name gives this copy. */
function linked(name: string, copy: string): LibraryCopy {
  const own = mkdtempSync(path.join(folder, "link-"));
  mkdirSync(path.join(own, "node_modules"));
  symlinkSync(copy, path.join(own, "node_modules", name), "junction");
  return { name, folder: own };
}

/** What a process says that proves a codec with a copy of a library, and times nothing. */
async function proven(
  codec: string,
  library: LibraryCopy,
  plugins: readonly string[] = [],
): Promise<MemberResult> {
  const job: Job = {
    members: [
      {
        source: { codec, plugins, library },
        dataset: "tellist",
        operations: [],
        describe: true,
        survey: false,
      },
    ],
    int64: undefined,
    profile: PROFILES.quick,
    others: [],
  };
  const { members } = await isolate(job, (await currentRuntime()).launch, TIMEOUT_SECONDS);
  return members[0]!;
}

describe("a measuring process", () => {
  it.each([
    ["an ES module", "msgpackr", "pack.js"],
    ["CommonJS", "protobufjs", "src/index.js"],
    ["CommonJS, by a path within the package", "capnp-ts", "src/serialization/arena/index.js"],
    ["CommonJS with an ES module beside it", "flatbuffers", "js/flatbuffers.js"],
  ])("loads the copy and not the installed library: %s", async (_, library, broken) => {
    const copy = linked(library, copied(folder, library, "0.0.1", broken));
    const { refused } = await proven(library, copy);
    expect(refused).toEqual({ status: "failed", reason: expect.stringContaining("this is the copy") });
  });

  it("proves a codec with a copy, and says how it was built", async () => {
    const result = await proven("msgpackr", linked("msgpackr", copied(folder, "msgpackr", "0.0.2")));
    expect(result).toMatchObject({ bytes: 1849, build: expect.stringMatching(/native part$/) });
    expect(result.refused).toBeUndefined();
  });

  it("fails a codec that does not load the copy: another would be measured", async () => {
    const plugin = path.join(import.meta.dirname, "../plugins/requiring.js");
    const copy = linked("msgpackr", copied(folder, "msgpackr", "0.0.3"));
    const { refused } = await proven("requiring", copy, [plugin]);
    expect(refused?.reason).toMatch(
      /^requiring: it does not load the copy of msgpackr: expected an import of it/,
    );
  });
});
