/** `wirebench ipc` and its subcommands. The work of each is loaded when it is called. */
import { type Command, Option } from "commander";
import { IPC_TESTS } from "../model/records/ipc.ts";
import { rare } from "./help.ts";
import { endedAtBeginning } from "./interrupt.ts";
import type { Done, Invocation } from "./io.ts";
import {
  choice,
  codec,
  codecs,
  commandOf,
  cxxflags,
  datasets,
  json,
  many,
  native,
  ownData,
  plugins,
  positive,
  single,
  subject,
  whole,
} from "./options.ts";

/** Adds `ipc`, with `ipc talker` and `ipc listener` below it. */
export function addIpcCommand(root: Command, io: Invocation, done: Done): void {
  const ipc = commandOf(
    root,
    "ipc",
    "measure messages between processes: latency, throughput, stability, drops",
    [
      codecs(
        "protobufjs, capnp-ts, flatbuffers, msgpackr, raw-struct, for own data json; ready-bytes is the transport alone",
      ),
      ...datasets("frame of each payload; latency: cloud too"),
      ...rare(native(), cxxflags(), plugins(), json()),
      many(
        "--payload <size>",
        "size of a message, as 650kB or 6.5MB; repeatable",
        "6.5MB; one-to-two and two-to-one: 26MB too",
      ),
      ...rare(whole("--messages <number>", "messages per talker (default: as published)")),
      new Option(
        "--transport <name>",
        "uds, tcp, shm or shm:/folder, fork, worker, sab, or nats://host:4222",
      ).default("uds"),
      ...rare(
        positive("--rate <hertz>", "messages per second and talker (default: each as soon as it may go)"),
        choice("--reliability <policy>", "wait for slow listeners, or drop the oldest messages", [
          "reliable",
          "best-effort",
        ]),
        whole("--depth <number>", "messages on their way, or that a queue keeps"),
      ),
      choice("--profile <name>", "quick has a tenth of the bytes, and fewer messages", [
        "quick",
        "standard",
      ]).default("standard"),
      ...rare(
        positive("--listener-delay <ms>", "slow the last listener down with each message"),
        positive("--timeout <seconds>", "give up a test in which nothing happens for so long (default: 120)"),
      ),
      new Option("--out <folder>", "where the results go (default: a new results/<UTC time>-<host>)"),
    ],
  )
    .argument("[test...]", `${IPC_TESTS.join(", ")}, or all`)
    .action(async (tests, flags) => {
      await done(endedAtBeginning(async () => (await import("./commands/ipc.ts")).ipc(tests, flags, io)));
    });
  // Options after a subcommand's name are its own, also where `ipc` has some of the same name.
  for (const command of [ipc, root]) command.enablePositionalOptions();
  ipc.helpCommand(false);

  commandOf(ipc, "talker", "send messages to a listener on another machine, and measure the round trips", [
    ...meeting(),
    ...subject(),
    plugins(),
    json(),
    codec(),
    whole("--messages <number>", "messages that count").default(1000),
    whole("--warmup <number>", "messages before these, one at a time").default(100),
    whole("--depth <number>", "messages on their way at a time").default(1),
    new Option("--out <folder>", "where run.json, report.md and messages.csv go (default: nowhere)"),
  ]).action(async (flags) => {
    await done((await import("./commands/ipc-remote.ts")).ipcTalker(flags, io));
  });

  commandOf(
    ipc,
    "listener",
    "wait for talkers on other machines, and answer each message once every field is read",
    [
      ...meeting(),
      ...ownData(),
      plugins(),
      new Option("--once", "end after one talker (default: wait for the next)"),
    ],
  ).action(async (flags) => {
    await done((await import("./commands/ipc-remote.ts")).ipcListener(flags, io));
  });
}

/** Seconds without a sign of life after which the other side counts as gone. */
const TIMEOUT_SECONDS = 60;

/** Where a talker and its listener meet. */
function meeting(): Option[] {
  return [
    single("--channel <name>", "name by which talker and listener find each other").makeOptionMandatory(),
    single("--transport <address>", "NATS server that both reach, as nats://host:4222").makeOptionMandatory(),
    positive("--timeout <seconds>", "how long the other side may be silent").default(TIMEOUT_SECONDS),
  ];
}
