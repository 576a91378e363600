import { type Command, Option } from "commander";
import type { Done, Invocation } from "./io.ts";
import { jsonOption, seedOption, wholeNumber } from "./options.ts";

/** `wirebench doctor`: its options. The work is loaded when it is called. */
export function doctorCommand(command: Command, io: Invocation, done: Done): void {
  jsonOption(command)
    .option(
      "--trials <number>",
      "runs of a codec of known cost, of about 25 s each at standard (default: 5)",
      wholeNumber,
    )
    .addOption(
      new Option("--profile <name>", "that of the runs whose certainty is in question")
        .choices(["quick", "standard", "thorough"])
        .default("standard"),
    )
    .addOption(seedOption())
    .option("--out <folder>", "where doctor.json and report.md go (default: nowhere)")
    .action(async (flags) => {
      await done((await import("./commands/doctor.ts")).doctor(flags, io));
    });
}
