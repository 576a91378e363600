/**
 * Keeps a browser for one job: serves its page, starts it with a profile of its own, passes on what it says, and leaves nothing
 * behind: no process, no profile, no port. It is a measuring process to whoever starts it, and ends with its standard input.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { errorLine } from "../../model/one-line.ts";
import { askBrowser } from "./devtools.ts";
import type { Kept } from "./launch.ts";
import { killGroup, untilQuiet } from "./process-group.ts";
import { PageServer } from "./server.ts";

/** Messages have a file descriptor of their own, as those of any measuring process. */
const CHANNEL = 3;

/**
 * Most characters of the path of the folder that profiles are in. Chromium has a socket in its profile, whose path may have 104 on
 * macOS and 107 on Linux: a profile's own name takes 22 of them, and the socket's 45.
 */
const MOST_PATH = 33;

const temporary = tmpdir().length <= MOST_PATH || process.platform === "win32" ? tmpdir() : "/tmp";
const profile = mkdtempSync(path.join(temporary, "wirebench-page-"));
let browser: ChildProcess | undefined;
let server: PageServer | undefined;
/** Whether its page ever came: before, nothing was asked of a codec. */
let hasCome = false;
let isEnding = false;

/** Ends everything, and says why where there is a reason. */
async function end(reason?: string): Promise<void> {
  if (isEnding) return;
  isEnding = true;
  server?.close();
  if (reason !== undefined) process.stderr.write(`error: ${reason}\n`);
  await killGroup(browser?.pid);
  rmSync(profile, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
  process.exit(reason === undefined ? 0 : 1);
}

/** How long what is known of a lost page may take to come, in milliseconds: that it crashed, or with it the browser, and why. */
const REASON_MS = 2000;

/** How often a browser is started that ends before its page comes: on a busy machine one in some hundreds does. */
const STARTS = 3;

function isRunning(): boolean {
  return browser?.exitCode === null && browser.signalCode === null;
}

async function start(kept: Kept, starts = 1): Promise<void> {
  const { program, args, files, pipe, job } = kept;
  for (const [name, text] of Object.entries(files)) writeFileSync(path.join(profile, name), text);
  server ??= await PageServer.open({
    host: "127.0.0.1",
    client: job.scripts["page.js"] ?? "",
    onPage: () => {
      hasCome = true;
    },
  });
  const folders = { HOME: profile, TMPDIR: profile, XDG_CONFIG_HOME: profile, XDG_CACHE_HOME: profile };
  browser = spawn(
    program,
    [...args.map((arg) => arg.replaceAll("{profile}", profile)), server.addresses[0]],
    {
      // A group of its own: Ctrl-C reaches the coordinator, which decides what happens to its children.
      detached: true,
      env: { ...process.env, ...folders },
      stdio: pipe ? ["ignore", "ignore", "pipe", "pipe", "pipe"] : ["ignore", "ignore", "pipe"],
    },
  );
  let said = "";
  browser.stderr?.setEncoding("utf8").on("data", (text: string) => {
    said = (said + text).slice(-2000);
  });
  browser.once("error", (error) => void end(`the browser cannot be started: ${error.message}`));
  const closed = once(browser, "close");
  browser.once("exit", async (code, signal) => {
    await Promise.race([closed, sleep(REASON_MS)]);
    await killGroup(browser?.pid);
    if (!hasCome && !isEnding && starts < STARTS) {
      start(kept, starts + 1).catch((error) => end(errorLine(error)));
      return;
    }
    const lines = said.trim().split("\n");
    const told = lines.find((line) => line.includes("FATAL")) ?? lines.at(-1) ?? "";
    void end(`the browser ended (${signal ?? `exit code ${code}`})${told === "" ? "" : `: ${told}`}`);
  });
  let crash: string | undefined;
  const runtime = pipe
    ? await askBrowser(browser, (status) => {
        crash = status;
      })
    : undefined;
  // It makes its first window, and all that belongs to it, for a while after it has answered.
  const started = browser;
  await untilQuiet(started.pid);
  // One that has ended meanwhile is started once more, or was the last.
  if (browser !== started || !isRunning()) return;
  if (crash !== undefined) return end(crash);
  server.start(
    { ...job, order: { line: job.line, ...(runtime && { runtime }) } },
    {
      onLine: (line, isLast) => {
        pass(line);
        if (isLast) void end();
      },
      onFailed: (reason) => void end(reason),
      onLost: async (reason) => {
        for (let waited = 0; waited < REASON_MS && crash === undefined && isRunning(); waited += 20)
          await sleep(20);
        // How a browser ended says more than that its page is gone.
        if (crash !== undefined || isRunning()) void end(crash ?? reason);
      },
    },
  );
}

function pass(line: string): void {
  const bytes = Buffer.from(`${line}\n`);
  for (let written = 0; written < bytes.length; ) {
    try {
      written += writeSync(CHANNEL, bytes, written);
    } catch (error) {
      if ((error as { code?: string }).code !== "EAGAIN") throw error;
    }
  }
}

process.on("uncaughtException", (error) => void end(errorLine(error)));
process.on("unhandledRejection", (error) => void end(errorLine(error)));
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => {});

const received: string[] = [];
process.stdin.setEncoding("utf8").on("data", (chunk: string) => {
  received.push(chunk);
  if (chunk.endsWith("\n"))
    start(JSON.parse(received.join("")) as Kept).catch((error) => end(errorLine(error)));
});
// The coordinator is gone, or has no more use for this.
process.stdin.on("end", () => void end("it was ended"));
process.stdin.on("error", () => void end("it was ended"));
