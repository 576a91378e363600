/**
 * The page: starts a worker for each job that the server names, and passes on what it says. Workers cannot be kept from
 * hanging, so the page ends them; nothing of the page runs beside a timed call unless the worker says something. A page that
 * lost the server asks for it again: a telephone that slept goes on.
 */

/** What a worker says: a message as a line, or why there will be none. */
export type FromWorker = { readonly line: string } | { readonly failed: string };

/** How often a page says that it is there, in milliseconds. */
const BEAT_MS = 2000;

interface WorkerLike {
  onmessage: (event: { readonly data: FromWorker }) => void;
  onerror: (event: { readonly message?: string }) => void;
  terminate(): void;
}

declare const Worker: new (url: string, options: { readonly type: "module" }) => WorkerLike;
declare const document: { readonly body: { textContent: string } };

/** How long a page waits before it asks for its orders once more, in milliseconds. */
const AGAIN_MS = 2000;

/** What the page says once it needs nothing any more. */
const ENDED = "The run has ended.";

async function main(): Promise<void> {
  for (;;) {
    const text = await session();
    document.body.textContent = text;
    if (text === ENDED) return;
    await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
  }
}

/** Does what the server says for as long as it is there. Returns what is to be shown then. */
async function session(): Promise<string> {
  const lost = new AbortController();
  /** What has been said and not sent yet: in the order in which it was said. */
  let sent: Promise<unknown> = Promise.resolve();
  const send = (path: string, body: string): void => {
    sent = sent
      .then(() => fetch(path, { method: "POST", body }))
      .then(({ ok }) => {
        if (!ok) throw new Error("not taken");
      })
      // The server sees that the page is gone.
      .catch(() => lost.abort());
  };
  let worker: WorkerLike | undefined;
  try {
    const { body, status } = await fetch("orders", { signal: lost.signal });
    // Another run has another address.
    if (status === 404) return ENDED;
    if (status !== 200 || body === null) return "Another page or browser measures. This one waits.";
    const beat = setInterval(() => send("beat", ""), BEAT_MS);
    lost.signal.addEventListener("abort", () => clearInterval(beat));
    document.body.textContent = "wirebench measures in this page. Keep it open, and in front.";
    for await (const order of linesOf(body)) {
      const [what, job] = order.split(" ");
      worker?.terminate();
      if (what === "end") return ENDED;
      if (what !== "start") continue;
      const said = (message: FromWorker): void => send(`jobs/${job}/said`, JSON.stringify(message));
      worker = new Worker(`jobs/${job}/worker.js`, { type: "module" });
      worker.onmessage = ({ data }) => said(data);
      worker.onerror = ({ message = "its scripts cannot be loaded" }) => said({ failed: message });
    }
    throw new Error("the server is gone");
  } catch {
    return "The connection to wirebench was lost. This page tries again.";
  } finally {
    lost.abort();
    worker?.terminate();
  }
}

async function* linesOf(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    const lines = (rest + next.value).split("\n");
    rest = lines.pop() ?? "";
    yield* lines.filter((line) => line !== "");
  }
}

void main();
