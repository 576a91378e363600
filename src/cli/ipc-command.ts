import { type Command, Option } from "commander";
import { IPC_TESTS } from "../model/records/ipc.ts";
import type { Done, Invocation } from "./io.ts";
import { ipcRemoteCommands } from "./ipc-remote-command.ts";
import {
  codecOption,
  collect,
  datasetOptions,
  jsonOption,
  pluginOption,
  positiveNumber,
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
