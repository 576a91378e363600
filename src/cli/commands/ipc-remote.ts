import { Registry } from "../../catalog/registry.ts";
import { type ListenEnd, listenRemotely } from "../../ipc/remote/listener.ts";
import { talkRemotely } from "../../ipc/remote/talker.ts";
import { defined } from "../../model/defined.ts";
import { renderJson } from "../../reports/any/json.ts";
import { renderRemoteText } from "../../reports/ipc-remote/text.ts";
import { IpcRemoteResults } from "../../store/ipc-results.ts";
import { ownDataset, subjectOf } from "../data.ts";
import { untilInterrupted } from "../interrupt.ts";
import type { Invocation, Io } from "../io.ts";
import { EXIT } from "../io.ts";
import type { SubjectFlags } from "../options.ts";

/** What `ipcRemoteCommands` gives for a talker. */
interface IpcTalkerFlags extends SubjectFlags {
  readonly channel: string;
  readonly transport: string;
  readonly codec: string;
  readonly messages: number;
  readonly warmup: number;
  readonly depth: number;
  readonly timeout: number;
  readonly plugin: readonly string[];
  readonly out?: string;
  readonly json?: boolean;
}

/** `wirebench ipc talker`: measures round trips to a listener on another machine. */
export async function ipcTalker(flags: IpcTalkerFlags, io: Invocation): Promise<number> {
  const registry = await Registry.open(flags.plugin);
  const dataset = await subjectOf(registry, flags, io);
  const results = flags.out === undefined ? undefined : new IpcRemoteResults(flags.out);
  const { record, messages, interrupted } = await untilInterrupted(async (signal) => {
    const talk = talkRemotely({
      channel: flags.channel,
      address: flags.transport,
      registry,
      codec: flags.codec,
      dataset,
      own: flags.dataset === undefined,
      int64: flags.int64,
      messages: flags.messages,
      warmup: flags.warmup,
      depth: flags.depth,
      timeoutSeconds: flags.timeout,
      command: io.command,
      signal,
      say: (line) => io.tell(`${line}\n`),
    });
    // Before there is a listener, an interruption leaves nothing to report.
    const done = await talk.catch((error: unknown) => {
      if (error === signal.reason) return { record: undefined, messages: [] };
      throw error;
    });
    return { ...done, interrupted: signal.aborted };
  });
  if (record === undefined) {
    io.tell("interrupted before a listener was found\n");
    return EXIT.interrupted;
  }
  results?.save(record, messages);
  io.print(flags.json === true ? renderJson(record) : `\n${renderRemoteText(record, io.width())}`);
  if (results !== undefined) io.tell(`\n${results.path}/report.md, run.json and messages.csv\n`);
  if (record.complete) return record.lost > 0 ? EXIT.failed : EXIT.ok;
  io.tell(`error: ${record.reason}\n`);
  return interrupted ? EXIT.interrupted : EXIT.failed;
}

/** What `ipcRemoteCommands` gives for a listener. */
interface IpcListenerFlags extends Omit<SubjectFlags, "dataset"> {
  readonly channel: string;
  readonly transport: string;
  readonly once?: boolean;
  readonly timeout: number;
  readonly plugin: readonly string[];
}

/** Ctrl-C is how a listener that waits is ended; one that is amid a talker's messages is interrupted. */
const CODES: Readonly<Record<ListenEnd, number>> = {
  stopped: EXIT.ok,
  interrupted: EXIT.interrupted,
  done: EXIT.ok,
  failed: EXIT.failed,
};

/** `wirebench ipc listener`: waits for talkers on other machines, and answers their messages. */
export async function ipcListener(flags: IpcListenerFlags, io: Io): Promise<number> {
  const registry = await Registry.open(flags.plugin);
  // For a talker with data of its user's; others are known by name.
  const own = await ownDataset({ ...flags, dataset: [] }, io);
  const end = await untilInterrupted((signal) =>
    listenRemotely({
      channel: flags.channel,
      address: flags.transport,
      registry,
      ...defined({ own }),
      once: flags.once === true,
      timeoutSeconds: flags.timeout,
      signal,
      say: (line) => io.tell(`${line}\n`),
    }),
  );
  return CODES[end];
}
