/** `wirebench claims` and `wirebench classic`. The work of each is loaded when it is called. */
import { type Command, Option } from "commander";
import { BENCHMARKS } from "../model/records/claims.ts";
import { endedAtBeginning } from "./interrupt.ts";
import type { Done, Invocation } from "./io.ts";
import { choice, commandOf, cxxflags, json, many, positive, seed, timeout, whole } from "./options.ts";

/** Adds the commands that are about published benchmarks. */
export function addPublishedCommands(root: Command, io: Invocation, done: Done): void {
  commandOf(root, "claims", "test the 18 claims of four published benchmarks on this machine", [
    many("--only <id>", "claim, as fb-encode-faster; repeatable", "all"),
    choice("--profile <name>", "quick has fewer processes and messages", ["quick", "standard"]).default(
      "standard",
    ),
    new Option("--no-native", "leave out the originals in C++, Python and Erlang"),
    json(),
    new Option("--markdown", "print the whole report on standard output").conflicts("json"),
    seed(),
    timeout(),
    new Option(
      "--out <folder>",
      "where run.json, report.md and the chart go (default: a new results/<UTC time>-<host>)",
    ),
  ]).action(async (flags) => {
    await done(endedAtBeginning(async () => (await import("./commands/claims.ts")).claims(flags, io)));
  });

  commandOf(root, "classic", "run the method of a published benchmark as it was", [
    whole("--loops <number>", "address-book: calls of a loop (default: 1000000)"),
    positive("--seconds <number>", "erlang-term: of each loop (default: 30); python: (default: 1)"),
    whole("--repeats <number>", "loops of each figure (default: address-book 3, else 1)"),
    new Option("--native", "run the originals in C++, Python and Erlang too"),
    cxxflags(),
    whole("--messages <number>", "interprocess: messages of 6.5 MB (default: 100)"),
    json(),
    new Option(
      "--out <folder>",
      "where the results go (default: nowhere; interprocess: a new results/<UTC time>-<host>)",
    ),
  ])
    .argument("<benchmark>", BENCHMARKS.join(", "))
    .action(async (benchmark, flags) => {
      await done((await import("./commands/classic.ts")).classic(benchmark, flags, io));
    });
}
