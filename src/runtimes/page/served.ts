/**
 * A browser that somebody opens by hand, on this machine or on another: it measures in the page that is served for it. A page
 * that is gone is waited for, and what it had begun begins anew in the next one.
 */
import { EventEmitter, once } from "node:events";
import { PassThrough } from "node:stream";
import type { Job } from "../../measure/job.ts";
import { defined } from "../../model/defined.ts";
import { UsageError } from "../../model/errors.ts";
import { expectNumber } from "../../model/expect-option.ts";
import { untilClosed } from "../launch/child-process.ts";
import type { UnnamedRuntime } from "../launch/find.ts";
import { NOTHING, versionOf } from "../launch/javascript.ts";
import { jobLine } from "../launch/job-line.ts";
import type { Ending, Launched, RuntimeDefinition } from "../launch/runtime.ts";
import { messagesOf } from "./launch.ts";
import { scriptsFor } from "./scripts.ts";
import { PageServer } from "./server.ts";

/** Where a page is served, and who hears of it. */
export interface ServeOptions {
  /** By default 127.0.0.1, which other machines do not reach. */
  readonly host?: string;
  /** By default any that is free. */
  readonly port?: number;
  /** Is told in a line that the page is gone, and that one is there again. */
  readonly say?: (line: string) => void;
}

/** How often a job may lose its page: one that ends the page each time would never end. */
const MOST_LOST = 2;

/** A page that is served until it is closed. */
export class ServedPage {
  readonly #server: PageServer;
  readonly #pages = new EventEmitter();
  #userAgent: string | undefined;
  /** Why there is no page, where it was waited for in vain. */
  #absent: string | undefined;

  private constructor(server: PageServer) {
    this.#server = server;
  }

  /** Throws UsageError where it cannot be served, and NotInstalledError where nothing can make its scripts. */
  static async open({ host = "127.0.0.1", port = 0, say }: ServeOptions = {}): Promise<ServedPage> {
    // Node takes it for all addresses.
    if (host === "") throw new UsageError("host: expected an address or a name, got nothing");
    expectNumber("port", port, { integer: true, least: 0, most: 65_535 });
    const { "page.js": client = "" } = await scriptsFor(NOTHING);
    let page: ServedPage;
    const server = await PageServer.open(
      {
        host,
        client,
        onPage: (userAgent) => {
          if (page.#userAgent !== undefined) say?.("the page is there again");
          page.#userAgent = userAgent;
          page.#pages.emit("page");
        },
        onGone: (reason) => say?.(`${reason}: open it again at ${server.addresses.join(" or ")}`),
      },
      port,
    );
    page = new ServedPage(server);
    return page;
  }

  /** What a browser opens: one of these. Whoever has one is served. */
  get addresses(): readonly string[] {
    return this.#server.addresses;
  }

  /** The browser that opens the page, which is waited for. Rejects with the signal's reason. */
  async runtime(signal: AbortSignal): Promise<UnnamedRuntime> {
    if (!this.#server.hasPage)
      await once(this.#pages, "page", { signal }).catch(() => signal.throwIfAborted());
    const launch: RuntimeDefinition["launch"] = (_, job) => this.#launch(job);
    const identity = await versionOf("", launch);
    return {
      identity,
      userAgent: this.#userAgent ?? "",
      isCurrent: false,
      leadsImports: true,
      execArgv: [],
      noEvalArgv: [],
      steadyArgv: [],
      launch: (job) => this.#launch(job),
    };
  }

  /** Ends it: the page says that the run has ended. */
  close(): void {
    this.#server.close();
  }

  #launch(job: Job): Launched {
    const line = jobLine(job);
    const said = new PassThrough();
    let ends: (ending: Ending) => void = () => {};
    const ended = new Promise<Ending>((resolve) => {
      ends = resolve;
    });
    let isOver = false;
    const end = (ending: Ending): void => {
      isOver = true;
      this.#server.stop();
      said.end();
      ends(ending);
    };
    const fail = (reason: string): void => end({ code: 1, killedBy: null, stderr: `error: ${reason}` });
    // Should no page come, that is what it is counted from.
    const waits = (after: string): void => void said.write(`${JSON.stringify({ after })}\n`);
    let lost = 0;
    const start = async (): Promise<AsyncIterable<string>> => {
      const scripts = await scriptsFor(job);
      const begin = (): void =>
        this.#server.start(
          { scripts, order: { line }, ...defined({ noEval: job.noEval }) },
          {
            onLine: (text, isLast) => {
              said.write(`${text}\n`);
              if (isLast) end({ code: 0, killedBy: null, stderr: "" });
            },
            onFailed: fail,
            onLost: (reason) => {
              lost += 1;
              if (lost === MOST_LOST) return fail(reason);
              waits(reason);
              begin();
            },
          },
        );
      if (isOver) return said;
      if (this.#server.hasPage) this.#absent = undefined;
      else if (this.#absent === undefined) waits("its page was gone");
      if (this.#absent === undefined) begin();
      else end({ cannotStart: this.#absent });
      return said;
    };
    const started = start();
    started.catch((error: Error) => end({ cannotStart: error.message }));
    return {
      messages: messagesOf(
        started.then(() => untilClosed(said)),
        job,
      ),
      ended,
      kill: () => {
        if (isOver) return;
        if (!this.#server.hasPage) this.#absent = "its page was not opened again";
        end({ code: null, killedBy: "SIGKILL", stderr: "" });
      },
    };
  }
}
