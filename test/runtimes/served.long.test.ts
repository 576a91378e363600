/** A browser that is opened by hand measures in the page that `run --serve` prints the address of. */
import { spawn } from "node:child_process";
import { EventEmitter, once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import path from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { isolate } from "../../dist/runtimes/launch/isolate.js";
import { ServedPage } from "../../dist/runtimes/page/served.js";
import { PageServer } from "../../dist/runtimes/page/server.js";
import type { RunRecord } from "../../src/model/records/run.ts";
import { Browser } from "../browser/chromium.ts";
import { BIN, wirebench } from "../cli/wirebench.ts";
import { chromium, describeWith } from "../references.ts";

const folder = mkdtempSync("/tmp/wirebench-");
// Browsers have their profiles there: by a short path.
process.env["TMPDIR"] = folder;
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const PATIENCE = { timeout: 600_000 };

const BLANK = { url: "about:blank" };

/** A job that is done at once, and one that never is. */
const jobOf = (codec: string) => ({
  members: [
    {
      source: { codec, plugins: [path.join(import.meta.dirname, "../plugins/page-trouble.js")] },
      dataset: "tellist",
      operations: [],
      describe: false,
      survey: false,
    },
  ],
  int64: undefined,
  profile: { processes: 1, warmupMs: 1, measureMs: 1, batchMicros: 1 },
  others: [],
});
const SHORT = jobOf("page-trouble:none");
const ENDLESS = jobOf("page-trouble");

describeWith(chromium())("a browser that is opened by hand", PATIENCE, () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await Browser.start(chromium().program ?? "");
  });
  afterAll(() => browser.close());

  const opens = (url: string | undefined): Promise<unknown> => browser.send("Page.navigate", { url });

  it("is a runtime of the run beside Node, and the record says which", async () => {
    const out = path.join(folder, "out");
    const args = ["run", "--serve", "-c", "json", "-o", "encode", "--profile", "quick", "--shard", "1/4"];
    const child = spawn(process.execPath, [BIN, ...args, "--out", out]);
    let said = "";
    child.stderr.on("data", (chunk) => {
      const [before] = addressesIn(said);
      said += chunk;
      const [address] = addressesIn(said);
      if (before === undefined && address !== undefined) void opens(address);
    });
    const [code] = (await once(child, "close")) as [number | null];
    expect([code, said]).toEqual([0, expect.stringMatching(/Chrome \d+[.\d]* is there\n/)]);
    const record = JSON.parse(readFileSync(path.join(out, "run.json"), "utf8")) as RunRecord;
    expect(record.runtimes.map(({ label }) => label)).toEqual(["node", "chrome"]);
    expect(record.runtimes[1]).toMatchObject({
      userAgent: expect.stringMatching(/^Mozilla\//),
      isolated: true,
    });
    expect(record.cells.map(({ codec, status }) => [codec, status])).toContainEqual([
      "json (chrome)",
      "measured",
    ]);
    expect(readFileSync(path.join(out, "report.md"), "utf8")).toMatch(/opened by hand: Mozilla\//);
    await expect(fetch(addressesIn(said)[0] ?? "")).rejects.toThrow();
    await browser.until('document.body.textContent === "The run has ended."');
  });

  it("has in the record what it had measured until Ctrl-C", async () => {
    const out = path.join(folder, "cut");
    const args = ["run", "--serve", "-c", "json", "-o", "encode", "--profile", "quick", "--seed", "1"];
    const child = spawn(process.execPath, [BIN, ...args, "--out", out]);
    let said = "";
    // A block: of less, it is not known which of the codec and its twins came first.
    const isBegun = / (?:[3-9]|\d\d)\/\d+ processes/;
    child.stderr.on("data", (chunk) => {
      const before = said;
      said += chunk;
      if (addressesIn(before).length === 0 && addressesIn(said).length > 0) void opens(addressesIn(said)[0]);
      // Once: a second one ends the process at once.
      if (!isBegun.test(before) && isBegun.test(said)) child.kill("SIGINT");
    });
    const [code] = (await once(child, "close")) as [number | null];
    expect(code).toBe(130);
    const { complete, cells } = JSON.parse(readFileSync(path.join(out, "run.json"), "utf8")) as RunRecord;
    expect(complete).toBe(false);
    expect(cells.find(({ codec }) => codec === "json (chrome)")?.nanos?.blocks.length).toBeGreaterThan(0);
  });

  it("is waited for until Ctrl-C, and nothing is left of the command", async () => {
    const child = spawn(process.execPath, [BIN, "run", "--serve", "-c", "json", "--out", `${folder}/none`]);
    let said = "";
    child.stderr.on("data", (chunk) => {
      const before = addressesIn(said).length;
      said += chunk;
      // Once: a second one ends the process at once.
      if (before === 0 && addressesIn(said).length > 0) child.kill("SIGINT");
    });
    const [code] = (await once(child, "close")) as [number | null];
    expect(code).toBe(130);
  });

  describe("whose page is gone", () => {
    let page: ServedPage;
    let lines: string[];
    beforeEach(async () => {
      lines = [];
      page = await ServedPage.open({ say: (line: string) => void lines.push(line) });
      await opens(page.addresses[0]);
    });
    afterEach(() => page.close());

    const GONE = "the page was closed, or lost its network";

    it("is waited for, and does what it had begun anew", async () => {
      const { launch } = await page.runtime(AbortSignal.timeout(PATIENCE.timeout));
      await opens(BLANK.url);
      await expect.poll(() => lines).toEqual([expect.stringMatching(`^${GONE}: open it again at http://`)]);
      const { messages, ended } = launch(SHORT, 1);
      const followed: string[] = [];
      await opens(page.addresses[0]);
      for await (const message of messages) followed.push(...Object.keys(message));
      expect(followed.at(-1)).toBe("result");
      expect(await ended).toMatchObject({ code: 0 });
      expect(lines.at(-1)).toBe("the page is there again");
    });

    it("fails what lost it twice, with the reason", async () => {
      const { launch } = await page.runtime(AbortSignal.timeout(PATIENCE.timeout));
      const { messages, ended } = launch(ENDLESS, 1);
      for await (const message of messages) {
        if (!("after" in message)) continue;
        // Whenever something of the job is heard of it is left, and opened again.
        await opens(message.after === GONE ? page.addresses[0] : BLANK.url);
      }
      expect(await ended).toMatchObject({ stderr: `error: ${GONE}` });
    });

    it("fails what waits for it in vain, and all that follows until it is there again", async () => {
      const { launch } = await page.runtime(AbortSignal.timeout(PATIENCE.timeout));
      await opens(BLANK.url);
      await expect.poll(() => lines.length).toBe(1);
      const reasonOf = async (seconds: number): Promise<string | undefined> =>
        (await isolate(SHORT, launch, seconds)).members[0]?.refused?.reason;
      expect(await reasonOf(0.2)).toBe("hung: no result after 0.2 s, counted from when its page was gone");
      expect(await reasonOf(PATIENCE.timeout)).toBe("cannot be started: its page was not opened again");
      await opens(page.addresses[0]);
      await expect.poll(() => lines.at(-1)).toBe("the page is there again");
      expect(await reasonOf(PATIENCE.timeout)).toBeUndefined();
    });
  });
});

describe("a page that is served", () => {
  it("is not reached by another address of the machine, and may be served there", async () => {
    const here = await PageServer.open({ client: "", host: "127.0.0.1" });
    const there = await PageServer.open({ client: "", host: "127.0.0.2" });
    const everywhere = await PageServer.open({ client: "", host: "0.0.0.0" });
    try {
      expect(new URL(there.addresses[0]).hostname).toBe("127.0.0.2");
      expect((await fetch(there.addresses[0])).status).toBe(200);
      expect((await fetch(here.addresses[0])).status).toBe(200);
      await expect(fetch(here.addresses[0].replace("127.0.0.1", "127.0.0.2"))).rejects.toThrow();
      expect(everywhere.addresses.join()).not.toContain("0.0.0.0");
      expect((await fetch(everywhere.addresses.at(-1) ?? "")).status).toBe(200);
    } finally {
      for (const server of [here, there, everywhere]) server.close();
    }
  });

  it("is that of one browser until the end: another would be another runtime", async () => {
    const events = new EventEmitter();
    const server = await PageServer.open({
      client: "",
      host: "127.0.0.1",
      onGone: () => events.emit("gone"),
    });
    const asks = async (browser: string, signal: AbortSignal): Promise<number> => {
      const headers = { "user-agent": browser };
      return (await fetch(new URL("orders", server.addresses[0]), { headers, signal })).status;
    };
    const leaving = new AbortController();
    const gone = once(events, "gone");
    const statuses = [await asks("one", leaving.signal)];
    leaving.abort();
    await gone;
    const staying = new AbortController();
    for (const browser of ["other", "one"]) statuses.push(await asks(browser, staying.signal));
    server.close();
    expect(statuses).toEqual([200, 409, 200]);
  });

  it("refuses what is no address and no port", async () => {
    for (const [options, words] of [
      [{ host: "" }, /^host: expected an address or a name/],
      [{ port: 65_536 }, /^port: expected a whole number from 0 to 65535/],
      [{ host: "203.0.113.1" }, /^203\.0\.113\.1: pages cannot be served there/],
    ] as const)
      await expect(ServedPage.open(options)).rejects.toThrow(words);
  });
});

describe("a run that is to serve a page", () => {
  it.each([
    [["--host", "127.0.0.1"], "--host needs --serve"],
    [["--port", "8080"], "--port needs --serve"],
    [["--serve", "-c", "nothing"], 'unknown codec "nothing"'],
    [["--serve", "--cores", "1"], "cannot be used with option '--cores <n>'"],
    [["--serve", "--host", "203.0.113.1", "--port", "8080"], "203.0.113.1, port 8080: pages cannot be"],
  ])("refuses %j before anybody could open it", async (args, words) => {
    const { code, stderr } = await wirebench(["run", ...args]);
    expect([code, stderr]).toEqual([2, expect.stringContaining(words)]);
  });
});

/** What is printed for a browser to open. */
function addressesIn(said: string): string[] {
  return said.match(/http:\S+\/(?=\s)/g) ?? [];
}
