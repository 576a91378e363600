/** What becomes of a browser of tests is told by every call, whenever it ends. No Chromium is needed: a program stands for it. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { Browser } from "./chromium.ts";

const folder = mkdtempSync(path.join(tmpdir(), "wirebench-browser-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Answers what it is asked, until it is asked for `last`. */
const ANSWERS = (last: string): string => `
  const { createReadStream, writeSync } = require("node:fs");
  createReadStream("", { fd: 3 }).setEncoding("utf8").on("data", (text) => {
    for (const one of text.split("\\0").filter(Boolean)) {
      const { id, method } = JSON.parse(one);
      if (method === ${JSON.stringify(last)}) process.kill(process.pid, "SIGKILL");
      if (method === "Browser.close") process.exit(0);
      writeSync(4, JSON.stringify({ id, result: { targetId: "1", sessionId: "2" } }) + "\\0");
    }
  });`;

/** A program that does something each time that it is started. @param each its code, by how often it was started before */
function program(name: string, each: (before: number) => string): { program: string; starts(): number } {
  const [file, count] = [path.join(folder, name), path.join(folder, `${name}.count`)];
  writeFileSync(count, "");
  const cases = [0, 1, 2, 3].map((before) => `if (before === ${before}) {${each(before)}}`);
  writeFileSync(
    file,
    `#!${process.execPath}
const fs = require("node:fs");
const before = fs.statSync(${JSON.stringify(count)}).size;
fs.appendFileSync(${JSON.stringify(count)}, "x");
${cases.join("\n")}`,
    { mode: 0o755 },
  );
  return { program: file, starts: () => readFileSync(count).length };
}

const DIES = 'process.stderr.write("one\\nFATAL: no room\\n", () => process.exit(3));';

describe("a browser of tests", () => {
  it("that ends at its start, time after time, says how, and what it wrote last", async () => {
    const dying = program("dying", () => DIES);
    await expect(Browser.start(dying.program)).rejects.toThrow(
      /^Target\.createTarget: the browser ended \(exit code 3\)\none\nFATAL: no room$/,
    );
    expect(dying.starts()).toBe(3);
  });

  it("that cannot be started says so", async () => {
    await expect(Browser.start(path.join(folder, "none"))).rejects.toThrow(
      /the browser ended \(spawn .* ENOENT\)/,
    );
  });

  it("is started again where it ends before it answers", async () => {
    const recovering = program("recovering", (before) => (before < 2 ? DIES : ANSWERS("")));
    const browser = await Browser.start(recovering.program);
    expect(recovering.starts()).toBe(3);
    await browser.close();
  });

  it("that ends later ends every call, and is not started again", async () => {
    const ending = program("ending", () => ANSWERS("Page.navigate"));
    const browser = await Browser.start(ending.program);
    const waiting = browser.send("Page.navigate");
    await expect(waiting).rejects.toThrow("Page.navigate: the browser ended (SIGKILL)");
    await expect(browser.send("Page.enable")).rejects.toThrow("the browser ended (SIGKILL)");
    await expect(browser.until("true")).rejects.toThrow("the browser ended (SIGKILL)");
    await browser.close();
    expect(ending.starts()).toBe(1);
  });

  it("that ends while it is asked for its page says so", async () => {
    const ending = program("midway", () => ANSWERS("Log.enable"));
    await expect(Browser.start(ending.program)).rejects.toThrow("Log.enable: the browser ended (SIGKILL)");
    expect(ending.starts()).toBe(1);
  });
});
