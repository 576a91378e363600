import { type Command, Option } from "commander";
import type { Done, Invocation } from "./io.ts";
import {
  codecOption,
  datasetOptions,
  jsonOption,
  once,
  operationOption,
  pluginOption,
  seedOption,
  share,
  timeoutOption,
} from "./options.ts";

/** `wirebench compare`: its options. The work is loaded when it is called. */
export function compareCommand(command: Command, io: Invocation, done: Done): void {
  command
    .argument("[records...]", "two records: the run.json before and the one after")
    .option(
      "--base <what>",
      "measure, paired with --head: a package, a folder, a .tgz or a codec's file",
      once,
    )
    .option("--head <what>", "the new side: msgpackr@2.1.3, ./my-checkout, new/my-codec.js", once)
    .option("--fail-if-slower <share>", "exit with 1 if a cell is slower by more, as 5% or 0.05", share)
    .option(
      "--threshold <share>",
      "what is closer is not called different (default: as in the records, or 1%)",
      share,
    )
    .option("--force", "compare records of different processors or engines too");
  pluginOption(
    jsonOption(datasetOptions(codecOption(command, "those of the package or file, without variants"))),
  )
    .addOption(operationOption())
    .addOption(
      new Option("--profile <name>", "how much time for how much certainty (default: standard)").choices([
        "quick",
        "standard",
        "thorough",
      ]),
    )
    .addOption(seedOption())
    .addOption(timeoutOption())
    .option("--out <folder>", "where the paired run goes (default: a new results/<UTC time>-<host>)")
    .addHelpText("after", EXPLANATION)
    .action(async (records, flags) => {
      await done((await import("./commands/compare.ts")).compare(records, flags, io));
    });
}

const EXPLANATION = `
  wirebench compare before.json after.json
  wirebench compare --base msgpackr@1.11.0 --head msgpackr@2.1.3 --fail-if-slower 5%

A cell is slower or faster where the difference is beyond chance (p < 0.05 after Holm) and beyond the
gate: the largest of the threshold and of the noise that the runs measured in themselves. It is the same
where the whole 95 % interval is within the threshold, else undecided. Sizes are compared exactly.

--fail-if-slower exits with 1 where a cell is slower by that verdict and its ratio is beyond 1 + share, or
where it failed and did not before. An undecided cell does not fail.

Two records: refused where data of one name differs, and, without --force, where the CPU model, the platform,
Node's major version or V8's version (12.4 of 12.4.254) differs. Cores, governor, the system, other versions,
flags, profile, isolation, jit and threshold are warnings; another version of a library is noted.

--base and --head measure two versions of a library (name@version is installed by npm into a temporary
folder, a name alone is the installed one), or two files with a codec, in the same blocks of one run. The
options from -c on are for that; msgpackr@2.1.3 measures every codec of wirebench that uses msgpackr.
`;
