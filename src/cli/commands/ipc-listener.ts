import { Registry } from "../../catalog/registry.ts";
import { type ListenEnd, listenRemotely } from "../../ipc/remote/listener.ts";
import { defined } from "../../model/defined.ts";
import { ownDataset } from "../data.ts";
import { EXIT } from "../exit-code.ts";
import { untilInterrupted } from "../interrupt.ts";
import type { Io } from "../io.ts";
import type { SubjectFlags } from "../options.ts";

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
  const own = await ownDataset({ ...flags, dataset: [] });
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
