import { type Command, Option } from "commander";
import type { Done, Invocation } from "./io.ts";
import {
  jsonOption,
  once,
  ownDataOptions,
  pluginOption,
  positiveNumber,
  subjectOptions,
  wholeNumber,
} from "./options.ts";

/** Seconds without a sign of life after which the other side counts as gone. */
const TIMEOUT_SECONDS = 60;

/** `wirebench ipc talker` and `wirebench ipc listener`: their options. The work is loaded when it is called. */
export function ipcRemoteCommands(ipc: Command, io: Invocation, done: Done): void {
  // Options after a subcommand's name are its own, also where `ipc` has some of the same name.
  for (let command: Command | null = ipc; command !== null; command = command.parent) {
    command.enablePositionalOptions();
  }
  ipc.helpCommand(false);

  const talker = ipc
    .command("talker")
    .description("send messages to a listener on another machine, and measure the round trips");
  jsonOption(pluginOption(subjectOptions(meetingOptions(talker))))
    .requiredOption("-c, --codec <name>", "codec", once)
    .option("--messages <number>", "messages that count", wholeNumber, 1000)
    .option("--warmup <number>", "messages before these, one at a time", wholeNumber, 100)
    .option("--depth <number>", "messages on their way at a time", wholeNumber, 1)
    .option("--out <folder>", "where run.json, report.md and messages.csv go (default: nowhere)")
    .action(async (flags) => {
      await done((await import("./commands/ipc-talker.ts")).ipcTalker(flags, io));
    });

  const listener = ipc
    .command("listener")
    .description("wait for talkers on other machines, and answer each message once every field is read");
  pluginOption(ownDataOptions(meetingOptions(listener)))
    .option("--once", "end after one talker (default: wait for the next)")
    .action(async (flags) => {
      await done((await import("./commands/ipc-listener.ts")).ipcListener(flags, io));
    });
}

/** Where a talker and its listener meet. */
function meetingOptions(command: Command): Command {
  return command
    .requiredOption("--channel <name>", "name by which talker and listener find each other", once)
    .addOption(
      new Option("--transport <address>", "NATS server that both reach, as nats://host:4222")
        .argParser(once)
        .makeOptionMandatory(),
    )
    .option("--timeout <seconds>", "how long the other side may be silent", positiveNumber, TIMEOUT_SECONDS);
}
