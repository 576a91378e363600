/** A process with little memory that tries damaged messages on one codec, and leaves word of each before it does. */
import { closeSync, openSync } from "node:fs";
import { Registry } from "../../catalog/registry.ts";
import { reasonLine } from "../../model/errors.ts";
import { useLibrary } from "../../runtimes/node/library-copy.ts";
import type { FactCell } from "../cell.ts";
import type { Subject } from "../program.ts";
import { received } from "../received.ts";
import { leaveWord } from "./last-word.ts";
import { questionOf, Trials, type Tried } from "./trial.ts";

/** What is asked: to be ready for a codec, then cases of a row, whose indices go into a file. */
export type HostileRequest =
  | (Subject & { readonly progress: string })
  | { readonly row: number; readonly from: number; readonly to: number };

/** What is answered. */
export type HostileResponse =
  | { readonly ready: true }
  | { readonly refused: string }
  | { readonly tried: Tried }
  | { readonly price: FactCell };

let trials: Trials | undefined;
let progress = -1;
let shownBytes: number | undefined;

/** Whether imports are led to the copy of the library, which all codecs of a process share. */
let isLed = false;

async function answer(request: HostileRequest): Promise<HostileResponse> {
  try {
    if ("row" in request) {
      if (trials === undefined) return { refused: "no codec was named" };
      const question = questionOf(request.row);
      if (question === undefined) return { price: trials.price() };
      const { of, verified } = question;
      return {
        tried: trials.run(of, verified, request.from, request.to, leaveWord(progress), shownBytes),
      };
    }
    trials = undefined;
    if (progress >= 0) closeSync(progress);
    progress = openSync(request.progress, "w");
    shownBytes = request.shownBytes;
    if (request.library !== undefined && !isLed) useLibrary(request.library);
    isLed = true;
    const codec = await (await Registry.open(request.plugins)).codec(request.codec);
    await codec.load?.();
    trials = await Trials.of(codec, received(request.dataset));
    return { ready: true };
  } catch (error) {
    return { refused: reasonLine(error) };
  }
}

process.on("message", (request: HostileRequest) => {
  void answer(request).then((response) => process.send?.(response));
});
// Ctrl-C and `kill` reach the whole group; the coordinator decides what happens to its children.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => {});
