/** Debian's Chromium by the DevTools protocol over a pipe: no port, and no library. */
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Readable, Writable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";

/** How often a browser is started that ends before it answers, as one in some hundreds does on a busy machine. */
const STARTS = 3;

/** How long its last words may come after its end, in milliseconds. */
const LAST_WORDS = 500;

interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly params?: Readonly<Record<string, unknown>>;
  readonly result?: Readonly<Record<string, unknown>>;
  readonly error?: { readonly message: string };
  readonly sessionId?: string;
}

/** A call that was not answered yet. */
interface Waiting {
  readonly method: string;
  resolve(result: Readonly<Record<string, unknown>>): void;
  reject(why: Error): void;
}

/** A browser with one page. When it ends, every call says how, and what it wrote last. */
export class Browser {
  readonly #child: ChildProcess;
  readonly #input: Writable;
  readonly #profile = mkdtempSync(path.join(tmpdir(), "wirebench-chromium-"));
  readonly #waiting = new Map<number, Waiting>();
  /** Why it is there no longer, once it has ended. */
  readonly #ended: Promise<Error>;
  #gone: Error | undefined;
  #hasAnswered = false;
  #session: string | undefined;
  #last = 0;
  #rest = "";
  /** What pages asked for, said or threw since {@link open}. */
  requests: string[] = [];
  errors: string[] = [];

  private constructor(program: string) {
    const flags = [
      "--headless=new",
      "--no-sandbox",
      "--disable-gpu",
      "--disable-dev-shm-usage",
      "--hide-scrollbars",
      "--remote-debugging-pipe",
      `--user-data-dir=${this.#profile}`,
      "about:blank",
    ];
    this.#child = spawn(program, flags, { stdio: ["ignore", "ignore", "pipe", "pipe", "pipe"] });
    this.#ended = this.#end();
    this.#input = this.#child.stdio[3] as Writable;
    const output = this.#child.stdio[4] as Readable;
    // A pipe whose other end is gone says less than how the browser ended.
    for (const pipe of [this.#input, output]) pipe.on("error", () => {});
    output.setEncoding("utf8").on("data", (text: string) => {
      const messages = (this.#rest + text).split("\0");
      this.#rest = messages.pop()!;
      for (const message of messages) this.#take(JSON.parse(message) as Message);
    });
  }

  /** Starts one that answers. Throws what the last of three said that did not. @param program its path */
  static async start(program: string): Promise<Browser> {
    for (let starts = 1; ; starts++) {
      const browser = new Browser(program);
      try {
        await browser.#attach();
        return browser;
      } catch (error) {
        await browser.close();
        if (browser.#hasAnswered || starts === STARTS) throw error;
      }
    }
  }

  async #attach(): Promise<void> {
    const { targetId } = await this.send("Target.createTarget", { url: "about:blank" });
    const { sessionId } = await this.send("Target.attachToTarget", { targetId, flatten: true });
    this.#session = sessionId as string;
    for (const domain of ["Page", "Runtime", "Network", "Log"]) await this.send(`${domain}.enable`);
  }

  /** Waits for its end, and lets every call know. */
  async #end(): Promise<Error> {
    let said = "";
    this.#child.stderr?.setEncoding("utf8").on("data", (text: string) => {
      said = (said + text).slice(-2000);
    });
    const closed = new Promise((resolve) => this.#child.once("close", resolve));
    const how = await new Promise<string>((resolve) => {
      this.#child.once("error", ({ message }) => resolve(message));
      this.#child.once("exit", (code, signal) => resolve(signal ?? `exit code ${code}`));
    });
    await Promise.race([closed, sleep(LAST_WORDS)]);
    this.#gone = new Error(`the browser ended (${how})\n${said}`.trim());
    for (const { method, reject } of this.#waiting.values())
      reject(new Error(`${method}: ${this.#gone.message}`));
    this.#waiting.clear();
    return this.#gone;
  }

  #take({ id, method, params = {}, result = {}, error }: Message): void {
    const asked = id === undefined ? undefined : this.#waiting.get(id);
    if (id !== undefined) this.#waiting.delete(id);
    if (asked !== undefined) this.#hasAnswered = true;
    if (error === undefined) asked?.resolve(result);
    else asked?.reject(new Error(`${asked.method}: ${error.message}`));
    const said = JSON.stringify(params);
    if (method === "Network.requestWillBeSent")
      this.requests.push((params["request"] as { url: string }).url);
    if (method === "Runtime.exceptionThrown") this.errors.push(said);
    if (method === "Runtime.consoleAPICalled") this.errors.push(said);
    if (method === "Log.entryAdded") this.errors.push(said);
  }

  /** Calls a method of the protocol. */
  async send(method: string, params: object = {}): Promise<Readonly<Record<string, unknown>>> {
    if (this.#gone !== undefined) throw this.#gone;
    const id = ++this.#last;
    const session = this.#session === undefined ? {} : { sessionId: this.#session };
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { method, resolve, reject });
      this.#input.write(`${JSON.stringify({ id, method, params, ...session })}\0`);
    });
  }

  /** Opens an address in a window of that size, and waits until its script is ready. */
  async open(url: string, width = 1280, height = 900): Promise<void> {
    [this.requests, this.errors] = [[], []];
    await this.send("Emulation.setDeviceMetricsOverride", {
      width,
      height,
      deviceScaleFactor: 1,
      mobile: false,
    });
    await this.send("Page.navigate", { url: "about:blank" });
    this.requests = [];
    await this.send("Page.navigate", { url });
    await this.until('document.documentElement.dataset.ready === "yes"');
  }

  /** Waits until an expression is true. Throws after two minutes. */
  async until(expression: string): Promise<void> {
    for (const end = Date.now() + 120_000; Date.now() < end; ) {
      if ((await this.run(expression).catch(() => false)) === true) return;
      if (this.#gone !== undefined) throw this.#gone;
      await sleep(50);
    }
    throw new Error(`not within two minutes: ${expression}`);
  }

  /** What an expression gives in the page, where promises are waited for. */
  async run<T>(expression: string): Promise<T> {
    const { result, exceptionDetails } = await this.send("Runtime.evaluate", {
      expression,
      awaitPromise: true,
      returnByValue: true,
    });
    if (exceptionDetails !== undefined) throw new Error(JSON.stringify(exceptionDetails));
    return (result as { value: T }).value;
  }

  /** Presses a key, as `Tab` or `Enter`. */
  async press(key: string, code = key, text?: string): Promise<void> {
    const codes: Readonly<Record<string, number>> = { Tab: 9, Enter: 13, " ": 32, ArrowRight: 39 };
    const event = { key, code, windowsVirtualKeyCode: codes[key] };
    await this.send("Input.dispatchKeyEvent", {
      type: "keyDown",
      ...event,
      ...(text !== undefined && { text }),
    });
    await this.send("Input.dispatchKeyEvent", { type: "keyUp", ...event });
  }

  /** The whole page as a PNG. */
  async screenshot(): Promise<Buffer> {
    const { data } = await this.send("Page.captureScreenshot", { captureBeyondViewport: true });
    return Buffer.from(data as string, "base64");
  }

  async close(): Promise<void> {
    this.#session = undefined;
    this.send("Browser.close").catch(() => {});
    const timer = setTimeout(() => this.#child.kill("SIGKILL"), 5000);
    await this.#ended;
    clearTimeout(timer);
    rmSync(this.#profile, { recursive: true, force: true, maxRetries: 5 });
  }
}
