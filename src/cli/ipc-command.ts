import { type Command, Option } from "commander";
import { IPC_TESTS } from "../model/records/ipc.ts";
import type { Done, Invocation } from "./io.ts";
import {
  codecOption,
  collect,
  datasetOptions,
  jsonOption,
  once,
  ownDataOptions,
  pluginOption,
  positiveNumber,
  subjectOptions,
  wholeNumber,
} from "./options.ts";

/** `wirebench ipc`: its options. The work is loaded when it is called. */
export function ipcCommand(command: Command, io: Invocation, done: Done): void {
  command.argument("<test...>", `${IPC_TESTS.join(", ")}, or all`);
  pluginOption(
    jsonOption(
      datasetOptions(
        codecOption(
          command,
          "protobufjs, capnp-ts, flatbuffers, msgpackr, raw-struct; ready-bytes is the transport alone",
        ),
        "frame of each payload; latency: cloud too",
      ),
    ),
  )
    .addOption(
      new Option("--payload <size>", "size of a message, as 650kB or 6.5MB; repeatable")
        .argParser(collect)
        .default([], "6.5MB; one-to-two and two-to-one: 26MB too"),
    )
    .option("--messages <number>", "messages per talker (default: as published)", wholeNumber)
    .option(
      "--transport <name>",
      "uds, tcp, shm or shm:/folder, fork, worker, sab, or nats://host:4222",
      "uds",
    )
    .option(
      "--rate <hertz>",
      "messages per second and talker (default: each as soon as it may go)",
      positiveNumber,
    )
    .addOption(
      new Option("--reliability <policy>", "wait for slow listeners, or drop the oldest messages").choices([
        "reliable",
        "best-effort",
      ]),
    )
    .option("--depth <number>", "messages on their way, or that a queue keeps", wholeNumber)
    .addOption(
      new Option("--profile <name>", "quick has a tenth of the bytes, and fewer messages")
        .choices(["quick", "standard"])
        .default("standard"),
    )
    .option("--listener-delay <ms>", "slow the last listener down with each message", positiveNumber)
    .option(
      "--timeout <seconds>",
      "give up a test in which nothing happens for so long (default: 120)",
      positiveNumber,
    )
    .option("--out <folder>", "where the results go (default: a new results/<UTC time>-<host>)")
    .action(async (tests, flags) => {
      await done((await import("./commands/ipc.ts")).ipc(tests, flags, io));
    });
  ipcRemoteCommands(command, io, done);
}

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
      await done((await import("./commands/ipc-remote.ts")).ipcTalker(flags, io));
    });

  const listener = ipc
    .command("listener")
    .description("wait for talkers on other machines, and answer each message once every field is read");
  pluginOption(ownDataOptions(meetingOptions(listener)))
    .option("--once", "end after one talker (default: wait for the next)")
    .action(async (flags) => {
      await done((await import("./commands/ipc-remote.ts")).ipcListener(flags, io));
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
