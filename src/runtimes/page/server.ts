/**
 * Serves a page that measures, and hears what it says. Nothing is answered without the token in the address, and a page is
 * isolated from all others: then its clock is as fine as a page's can be, and no other can look into it.
 */
import { randomBytes, timingSafeEqual } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { networkInterfaces } from "node:os";
import { systemProblem, UsageError } from "../../model/errors.ts";
import type { FromWorker } from "./client.ts";
import type { Scripts } from "./scripts.ts";
import type { Order } from "./worker.ts";

/** What a page is to do. */
export interface PageJob {
  readonly scripts: Scripts;
  readonly order: Order;
  /** Set where its worker may make no code of strings. */
  readonly noEval?: true;
}

/** Who hears of a job in a page. Its last line or one of the last two ends it. */
export interface JobEvents {
  /** A line of JSON. @param isLast whether it is the job's result */
  onLine(line: string, isLast: boolean): void;
  /** The worker says why there will be no answer. */
  onFailed(reason: string): void;
  /** The page is gone, or never came. */
  onLost(reason: string): void;
}

export interface ServerOptions {
  /** The script of the page, which is there before any job is. */
  readonly client: string;
  /** The address that it is bound to. */
  readonly host: string;
  /** Milliseconds of silence after which a page counts as gone. */
  readonly silenceMs?: number;
  /** Is called when a page has come, with what its browser calls itself. */
  readonly onPage?: (userAgent: string) => void;
  /** Is called when the page is gone, also without a job. */
  readonly onGone?: (reason: string) => void;
}

/** A page says every two seconds that it is there; a busy machine may keep it from that for some time. */
const SILENCE_MS = 20_000;

/** How long a page may take to hear that all has ended, in milliseconds. */
const HEARS_MS = 200;

/** Most bytes that a page says at once. */
const MOST_BYTES = 64 * 2 ** 20;

const HEADERS = {
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-embedder-policy": "require-corp",
  "cross-origin-resource-policy": "same-origin",
  "cache-control": "no-store",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
};

/** What scripts of a page or its worker may do. @param hasEval whether they may make code of strings, as in most pages */
function policy(hasEval: boolean): string {
  const scripts = `'self' 'wasm-unsafe-eval'${hasEval ? " 'unsafe-eval'" : ""}`;
  return `default-src 'none'; script-src ${scripts}; worker-src 'self'; connect-src 'self'`;
}

const PAGE = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>wirebench</title>
<body><script type="module" src="page.js"></script></body>
</html>
`;

/** A server of one page at a time, always of the same browser: another one is another runtime. */
export class PageServer {
  readonly #server: Server;
  readonly #token = randomBytes(16).toString("hex");
  readonly #options: ServerOptions;
  /** The stream by which the page that is there gets its orders. */
  #page: ServerResponse | undefined;
  #userAgent: string | undefined;
  #silence: NodeJS.Timeout | undefined;
  #current: { readonly number: number; readonly job: PageJob; readonly events: JobEvents } | undefined;
  #jobs = 0;

  private constructor(options: ServerOptions) {
    this.#options = options;
    this.#server = createServer((request, response) => {
      this.#answer(request, response).catch(() => response.destroy());
    });
    // A page that sleeps keeps its connection for as long as it is waited for.
    this.#server.keepAliveTimeout = 0;
  }

  /** Throws UsageError where it cannot be bound. @param port 0 for any that is free */
  static async open(options: ServerOptions, port = 0): Promise<PageServer> {
    const server = new PageServer(options);
    try {
      await new Promise<void>((resolve, reject) => {
        server.#server.once("error", reject).listen(port, options.host, resolve);
      });
    } catch (error) {
      const place = port === 0 ? options.host : `${options.host}, port ${port}`;
      throw new UsageError(`${place}: pages cannot be served there ${systemProblem(error)}`, {
        cause: error,
      });
    }
    return server;
  }

  /** What a browser opens: one of these. There are several where the server is bound to all addresses of the machine. */
  get addresses(): readonly [string, ...string[]] {
    const { address, port } = this.#server.address() as AddressInfo;
    const [first = address, ...others] = ownAddresses(address);
    const urlOf = (one: string): string =>
      `http://${one.includes(":") ? `[${one}]` : one}:${port}/${this.#token}/`;
    return [urlOf(first), ...others.map(urlOf)];
  }

  get hasPage(): boolean {
    return this.#page !== undefined;
  }

  /** Gives a page a job: the one that is there, or the next one that comes. One at a time. */
  start(job: PageJob, events: JobEvents): void {
    this.#current = { number: ++this.#jobs, job, events };
    this.#page?.write(`start ${this.#jobs}\n`);
  }

  /** Ends the job, if there is one. */
  stop(): void {
    if (this.#current === undefined) return;
    this.#current = undefined;
    this.#page?.write("stop\n");
  }

  /** Ends the server, and every connection once the page could hear of it. */
  close(): void {
    clearTimeout(this.#silence);
    this.#page?.end("end\n");
    this.#page = undefined;
    this.#server.close();
    setTimeout(() => this.#server.closeAllConnections(), HEARS_MS);
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const [token = "", ...rest] = new URL(request.url ?? "/", "http://page").pathname.slice(1).split("/");
    const path = rest.join("/");
    for (const [name, value] of Object.entries(HEADERS)) response.setHeader(name, value);
    response.setHeader("content-security-policy", policy(this.#current?.job.noEval !== true));
    if (!isSame(token, this.#token)) return reply(response, 404, "text/plain", "not found");
    if (request.method === "POST") return this.#take(path, request, response);
    if (path === "") return reply(response, 200, "text/html", PAGE);
    if (path === "orders") return this.#admit(request, response);
    const text = this.#textOf(path);
    if (text === undefined) return reply(response, 404, "text/plain", "not found");
    return reply(response, 200, path.endsWith(".js") ? "text/javascript" : "application/json", text);
  }

  /** The script of the page, one of its job, or the job itself; undefined for what is not there. */
  #textOf(path: string): string | undefined {
    if (path === "page.js") return this.#options.client;
    const [, number, name = ""] = /^jobs\/(\d+)\/(.*)$/.exec(path) ?? [];
    if (this.#current === undefined || Number(number) !== this.#current.number) return undefined;
    const { job } = this.#current;
    if (name === "job") return JSON.stringify(job.order);
    return Object.hasOwn(job.scripts, name) ? job.scripts[name] : undefined;
  }

  /** A page has come: it is given its orders for as long as it stays. */
  #admit({ headers }: IncomingMessage, response: ServerResponse): void {
    const { "user-agent": userAgent = "" } = headers;
    if (this.#page !== undefined || userAgent !== (this.#userAgent ?? userAgent)) {
      reply(response, 409, "text/plain", "another page is there");
      return;
    }
    this.#userAgent = userAgent;
    this.#page = response;
    response.writeHead(200, { "content-type": "text/plain; charset=utf-8" });
    response.flushHeaders();
    response.once("close", () => this.#lose(response, "the page was closed, or lost its network"));
    this.#heard();
    if (this.#current !== undefined) response.write(`start ${this.#current.number}\n`);
    this.#options.onPage?.(userAgent);
  }

  async #take(path: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await bodyOf(request);
    this.#heard();
    const [, number] = /^jobs\/(\d+)\/said$/.exec(path) ?? [];
    const current = this.#current;
    if (number !== undefined && current !== undefined && Number(number) === current.number) {
      const message = JSON.parse(body) as FromWorker;
      if ("line" in message) {
        const line = String(message.line);
        current.events.onLine(line, line.startsWith('{"result"'));
      } else current.events.onFailed(String(message.failed));
    }
    reply(response, 200, "text/plain", "");
  }

  /** The page is there. */
  #heard(): void {
    const page = this.#page;
    if (page === undefined) return;
    const { silenceMs = SILENCE_MS } = this.#options;
    clearTimeout(this.#silence);
    this.#silence = setTimeout(() => {
      this.#lose(
        page,
        `the page was silent for ${silenceMs / 1000} s: it was closed, sleeps or lost its network`,
      );
      page.destroy();
    }, silenceMs);
  }

  #lose(page: ServerResponse, reason: string): void {
    if (this.#page !== page) return;
    this.#page = undefined;
    clearTimeout(this.#silence);
    const events = this.#current?.events;
    this.#current = undefined;
    this.#options.onGone?.(reason);
    events?.onLost(reason);
  }
}

/** An address, or those of this machine that it stands for, that of itself last. Those of a link need the name of their interface, and are left out. */
function ownAddresses(bound: string): string[] {
  if (bound !== "0.0.0.0" && bound !== "::") return [bound];
  const all = Object.values(networkInterfaces()).flatMap((one) => one ?? []);
  return all
    .filter(({ address, family }) => (bound === "::" || family === "IPv4") && !address.startsWith("fe80:"))
    .sort((a, b) => Number(a.internal) - Number(b.internal))
    .map(({ address }) => address);
}

function isSame(one: string, other: string): boolean {
  return (
    one.length === other.length && timingSafeEqual(Buffer.from(one, "latin1"), Buffer.from(other, "latin1"))
  );
}

function reply(response: ServerResponse, status: number, type: string, text: string): void {
  response.writeHead(status, { "content-type": `${type}; charset=utf-8` }).end(text);
}

/** Throws for what is too long, or never comes to an end. */
async function bodyOf(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  let length = 0;
  for await (const part of request as AsyncIterable<Buffer>) {
    length += part.length;
    if (length > MOST_BYTES) throw new Error("too long");
    parts.push(part);
  }
  return Buffer.concat(parts).toString("utf8");
}
