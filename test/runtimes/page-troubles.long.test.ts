/** Whatever becomes of a page is a reason, and nothing of its browser is left: no process, no profile, no port. */
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, afterEach, expect, it } from "vitest";
import { verify } from "wirebench";
import { jobLine } from "../../dist/runtimes/launch/job-line.js";
import { scriptsFor } from "../../dist/runtimes/page/scripts.js";
import { PageServer, type ServerOptions } from "../../dist/runtimes/page/server.js";
import { Browser } from "../browser/chromium.ts";
import { chromium, describeWith } from "../references.ts";

const reference = chromium();
const program = reference.program ?? "";
const runtimes = [`chromium:${program}`];
const plugins = [path.join(import.meta.dirname, "../plugins/page-trouble.js")];

/** Where browsers have their profiles, by a short path. */
const folder = mkdtempSync("/tmp/wirebench-");
process.env["TMPDIR"] = folder;
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const itInFull = it.runIf(process.env["WIREBENCH_TEST_CASES"] === "full");

/** A browser takes a second to start, and many on a busy machine. */
const PATIENCE = { timeout: 600_000 };

interface Process {
  readonly pid: number;
  readonly group: number;
  /** Processor time in user space, in hundredths of a second. */
  readonly ticks: number;
  readonly command: string;
}

/** The processes of the browsers that were started here: those that name their profile, and all of their groups. */
function browsers(): Process[] {
  const all = readdirSync("/proc").flatMap((pid): Process[] => {
    try {
      const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
      const [state, , group, , , , , , , , , ticks] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
      const command = readFileSync(`/proc/${pid}/cmdline`, "latin1").replaceAll("\0", " ");
      return state === "Z" ? [] : [{ pid: Number(pid), group: Number(group), ticks: Number(ticks), command }];
    } catch {
      return [];
    }
  });
  const groups = new Set(
    all.filter(({ command }) => command.includes(`--user-data-dir=${folder}`)).map(({ group }) => group),
  );
  return all.filter(({ group }) => groups.has(group));
}

/** Waits until something is there. Throws after two minutes. */
async function until<T>(find: () => T | undefined): Promise<T> {
  for (const end = Date.now() + 120_000; Date.now() < end; await sleep(50)) {
    const found = find();
    if (found !== undefined) return found;
  }
  throw new Error(`not within two minutes: ${find}`);
}

/** What no process of a page takes that only starts and waits, in hundredths of a second. */
const HANGS = 300;

/** Waits until the codec hangs: its page's process then works as long as it may. Chromium has others that wait. */
async function hangingPage(): Promise<Process> {
  return until(() => {
    return browsers().find(({ command, ticks }) => command.includes("--type=renderer") && ticks > HANGS);
  });
}

/** Waits until a browser that was started here is gone with all that it had. */
async function nothingLeft(): Promise<void> {
  await until(() => (browsers().length === 0 && readdirSync(folder).length === 0 ? true : undefined));
}

function hanging(timeoutSeconds: number): ReturnType<typeof verify> {
  return verify({ codecs: ["page-trouble"], plugins, runtimes, timeoutSeconds });
}

async function reasonOf(result: ReturnType<typeof verify>): Promise<string | undefined> {
  return (await result).cells[0]?.reason;
}

describeWith(reference)("a page that", PATIENCE, () => {
  afterEach(async () => {
    expect(browsers()).toEqual([]);
    expect(readdirSync(folder)).toEqual([]);
  });

  it("does wrong harms its own row only", async () => {
    const { cells } = await verify({
      codecs: ["throws", "prints", "process", "none"].map((one) => `page-trouble:${one}`),
      plugins,
      runtimes,
    });
    expect(cells.map(({ status, reason }) => [status, reason])).toEqual([
      ["failed", expect.stringMatching(/thrown later$/)],
      ["failed", expect.stringMatching(/expected a message, got "no message"$/)],
      ["unsupported", "it needs process of Node, which a page does not have"],
      ["ok", undefined],
    ]);
  });

  /** A browser says which one it is: what ends after that is not quiet yet. */
  const ANSWER = `printf '{"id":2,"result":{"product":"Chrome/1","jsVersion":"1"}}\\0' >&4\nsleep 0.2\n`;

  /** A browser that ends at its start, but for each third time if it recovers. */
  const dying = (recovers: boolean, first = ""): string => {
    const [script, count] = [path.join(folder, "dying"), path.join(folder, "count")];
    const works = recovers
      ? `if [ $(($(wc -c < "${count}") % 3)) = 0 ]; then exec "${program}" "$@"; fi`
      : "";
    const source = `#!/bin/sh\nprintf x >> "${count}"\n${works}\n${first}echo "FATAL: no room" >&2\nexit 3\n`;
    writeFileSync(script, source, { mode: 0o755 });
    return `chromium:${script}`;
  };
  const forgotten = (): void => {
    for (const name of ["dying", "count"]) rmSync(path.join(folder, name));
  };

  it.each([
    ["at once", ""],
    ["when it has answered", ANSWER],
  ])("has a browser that ends before it comes is asked again: %s", async (_, first) => {
    const { cells, runtimes } = await verify({
      codecs: ["page-trouble:none"],
      plugins,
      runtimes: [dying(true, first)],
    });
    expect(cells.map(({ status }) => status)).toEqual(["ok"]);
    // Its page has the job of the browser that lives.
    expect(runtimes.map(({ version }) => version)).not.toContain("1");
    expect(readFileSync(path.join(folder, "count")).length % 3).toBe(0);
    forgotten();
  });

  it("never comes as its browser ends each time says why", async () => {
    const never = verify({ codecs: ["page-trouble:none"], plugins, runtimes: [dying(false)] });
    await expect(never).rejects.toThrow("the browser ended (exit code 3): FATAL: no room");
    // Whether it is another kind of runtime was asked too.
    expect(readFileSync(path.join(folder, "count"), "utf8")).toMatch(/^xxx/);
    forgotten();
  });

  it("hangs is ended at its timeout", async () => {
    expect(await reasonOf(hanging(4))).toMatch(/^hung: no result after 4 s/);
  });

  itInFull("is killed, or whose browser is, is a reason", async () => {
    const page = reasonOf(hanging(500));
    process.kill((await hangingPage()).pid, "SIGKILL");
    expect(await page).toMatch(/the page (was killed|crashed)/);
    const whole = reasonOf(hanging(500));
    const { group } = await hangingPage();
    process.kill(group, "SIGKILL");
    expect(await whole).toMatch(/the browser ended \(SIGKILL\)/);
  });

  for (const signal of ["SIGKILL", "SIGINT"] as const) {
    (signal === "SIGKILL" ? it : itInFull)(
      `is left by its coordinator, which had a ${signal}, ends with its browser, profile and port`,
      async () => {
        const bin = path.join(import.meta.dirname, "../../bin/wirebench.js");
        const args = [
          "verify",
          "-c",
          "page-trouble",
          "--plugin",
          plugins[0] ?? "",
          "--runtime",
          runtimes[0] ?? "",
        ];
        const coordinator: ChildProcess = spawn(process.execPath, [bin, ...args], { stdio: "ignore" });
        const ended = new Promise((resolve) => coordinator.once("exit", resolve));
        const { group } = await hangingPage();
        const browser = browsers().find(({ pid }) => pid === group);
        const [address = ""] = /http:\/\/\S+/.exec(browser?.command ?? "") ?? [];
        expect((await fetch(address)).status).toBe(200);
        coordinator.kill(signal);
        await ended;
        await nothingLeft();
        await expect(fetch(address)).rejects.toThrow();
      },
    );
  }
});

/** A page of a server that somebody opened by hand, in the middle of a job that never ends. */
async function opened(
  meet: (browser: Browser, server: PageServer) => Promise<unknown>,
  options: Partial<ServerOptions> = {},
): Promise<string> {
  const job = {
    members: [
      {
        source: { codec: "page-trouble", plugins },
        dataset: "tellist",
        operations: [],
        describe: false,
        survey: false,
      },
    ],
    int64: undefined,
    profile: { processes: 1, warmupMs: 1, measureMs: 1, batchMicros: 1 },
    others: [],
  } as const;
  const scripts = await scriptsFor(job);
  const server = await PageServer.open({ host: "127.0.0.1", client: scripts["page.js"] ?? "", ...options });
  const browser = await Browser.start(program);
  try {
    return await new Promise<string>((resolve, reject) => {
      let isMet = false;
      server.start(
        { scripts, order: { line: jobLine(job) } },
        {
          // It has begun.
          onLine: () => {
            if (!isMet) meet(browser, server).catch(reject);
            isMet = true;
          },
          onFailed: reject,
          onLost: resolve,
        },
      );
      browser.send("Page.navigate", { url: server.addresses[0] }).catch(reject);
    });
  } finally {
    await browser.close();
    server.close();
  }
}

describeWith(reference)("a page that somebody opened", PATIENCE, () => {
  it("is lost when it is closed", async () => {
    const reason = await opened((browser) => browser.send("Page.navigate", { url: "about:blank" }));
    expect(reason).toBe("the page was closed, or lost its network");
  });

  it("is lost when its network is", async () => {
    const offline = { offline: true, latency: 0, downloadThroughput: -1, uploadThroughput: -1 };
    const reason = await opened((browser) => browser.send("Network.emulateNetworkConditions", offline));
    expect(reason).toBe("the page was closed, or lost its network");
  });

  it("is lost when it is silent", async () => {
    // It says that it is there every two seconds.
    const reason = await opened(async () => {}, { silenceMs: 1000 });
    expect(reason).toBe("the page was silent for 1 s: it was closed, sleeps or lost its network");
  });

  it("is one at a time, and nobody is answered without the token", async () => {
    let statuses: number[] = [];
    await opened(async (browser, server) => {
      const { origin } = new URL(server.addresses[0]);
      const asked = [
        "",
        "page.js",
        "orders",
        "jobs/1/worker.js",
        "jobs/1/job",
        "0".repeat(32),
        `${"0".repeat(32)}/`,
      ];
      const without = await Promise.all([
        ...asked.map((name) => fetch(`${origin}/${name}`)),
        fetch(`${origin}/jobs/1/said`, { method: "POST", body: '{"failed":"it is not so"}' }),
      ]);
      const second = await fetch(new URL("orders", server.addresses[0]));
      const absent = await Promise.all(
        ["nothing", "jobs/2/job", "jobs/1/none.js", "constructor"].map((name) =>
          fetch(new URL(name, server.addresses[0])),
        ),
      );
      statuses = [...without, second, ...absent].map(({ status }) => status);
      await browser.send("Page.navigate", { url: "about:blank" });
    });
    expect(statuses).toEqual([...Array(8).fill(404), 409, ...Array(4).fill(404)]);
  });
});
