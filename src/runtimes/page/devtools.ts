/** Chromium by its DevTools protocol, over a pipe: there is no port, and a browser whose pipe is closed ends. */
import type { ChildProcess } from "node:child_process";
import type { Readable, Writable } from "node:stream";
import type { RuntimeIdentity } from "../../model/runtime.ts";

/** Descriptors of the pipe: what the browser reads, and what it writes. */
const PIPE = { input: 3, output: 4 };

interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly params?: { readonly status?: string; readonly errorCode?: number };
  readonly result?: { readonly product?: string; readonly jsVersion?: string };
}

/** What a program calls itself: `Chrome/156.0.8078.79`, `HeadlessChrome/156.0.8078.79`. */
const PRODUCT = /^(?:Headless)?(\w+)\/(.+)$/;

/** Asks a browser which one it is, and to say when its page crashes. @param onCrash is told how */
export function askBrowser(
  browser: ChildProcess,
  onCrash: (reason: string) => void,
): Promise<RuntimeIdentity> {
  const input = browser.stdio[PIPE.input] as Writable;
  const output = browser.stdio[PIPE.output] as Readable;
  // A browser that is gone cannot be asked; how it ended says why.
  for (const pipe of [input, output]) pipe.on("error", () => {});
  input.write(
    `${JSON.stringify({ id: 1, method: "Target.setDiscoverTargets", params: { discover: true } })}\0`,
  );
  input.write(`${JSON.stringify({ id: 2, method: "Browser.getVersion" })}\0`);
  let rest = "";
  return new Promise((resolve) => {
    output.setEncoding("utf8").on("data", (text: string) => {
      const messages = (rest + text).split("\0");
      rest = messages.pop() ?? "";
      for (const message of messages) {
        const { id, method, params, result } = JSON.parse(message) as Message;
        if (method === "Target.targetCrashed") onCrash(crashText(params));
        if (id !== 2) continue;
        const [, , version = "unknown"] = PRODUCT.exec(result?.product ?? "") ?? [];
        const engine = { name: "V8", version: result?.jsVersion ?? "unknown" };
        resolve({ name: "chromium", version, engine });
      }
    });
  });
}

function crashText({ status = "crashed", errorCode }: NonNullable<Message["params"]> = {}): string {
  if (status === "oom") return "the page ran out of memory";
  return `the page ${status === "killed" ? "was killed" : "crashed"}${errorCode === undefined ? "" : ` (code ${errorCode})`}`;
}
