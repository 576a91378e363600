/** Codecs are measured in a page of Firefox, where there is one. From dist/, as a user's are. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import path from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { run, verify } from "wirebench";
import { firefox } from "../references.ts";
import { OWN } from "./own-dataset.ts";

const { program } = firefox();
const runtimes = [`firefox:${program}`];
const plugins = [path.join(import.meta.dirname, "../plugins/page-trouble.js")];

/** Where browsers have their profiles: nothing may be left there. */
const folder = mkdtempSync("/tmp/wirebench-");
process.env["TMPDIR"] = folder;
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** It takes ten seconds to start on a busy machine. */
const itInFull = it.runIf(process.env["WIREBENCH_TEST_CASES"] === "full");

/** Skipped and counted where there is none, also where all programs are required that tests compare with. */
describe.skipIf(program === undefined)("codecs in a page of Firefox", () => {
  it("carry what they carry in Node, or say why not", async () => {
    const { cells } = await verify({ codecs: ["json:string", "v8"], datasets: [OWN], runtimes });
    expect(cells.map(({ codec, status, reason }) => [codec, status, reason])).toEqual([
      ["json:string", "ok", undefined],
      ["v8", "unsupported", "it needs v8 of Node, which a page does not have"],
    ]);
    expect(readdirSync(folder)).toEqual([]);
  });

  itInFull("are measured by a clock that is not made coarser", async () => {
    const options = { codecs: ["json"], operations: ["decode"], profile: "quick", blocks: [0] } as const;
    const { runtimes: records, cells } = await run({ ...options, runtimes });
    expect(records).toMatchObject([{ name: "firefox", engine: { name: "SpiderMonkey" }, isolated: true }]);
    // It steps by 20 µs, or by 1 ms, where it is.
    expect(records[0]?.clockStepNanos).toBeLessThan(20_000);
    expect(cells[0]?.nanos?.blocks).toEqual([0]);
  });

  itInFull("that hang are ended, and nothing is left of the browser", async () => {
    const { cells } = await verify({ codecs: ["page-trouble"], plugins, runtimes, timeoutSeconds: 20 });
    expect(cells[0]?.reason).toMatch(/^hung: no result after 20 s/);
    expect(readdirSync(folder)).toEqual([]);
    const running = readdirSync("/proc").filter((pid) => {
      return /^\d+$/.test(pid) && commandOf(pid).includes(folder);
    });
    expect(running).toEqual([]);
  });
});

function commandOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "latin1");
  } catch {
    return "";
  }
}
