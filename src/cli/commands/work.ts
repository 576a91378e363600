import { prepareFleetRun } from "../../fleet/coordinator.ts";
import { work as offer, type WorkEnd } from "../../fleet/worker.ts";
import { defined } from "../../model/defined.ts";
import type { RunRecord } from "../../model/records/run.ts";
import { oneLine } from "../../reports/escape.ts";
import type { Plan } from "../../suite/plan.ts";
import type { Selection } from "../../suite/selection.ts";
import { untilInterrupted } from "../interrupt.ts";
import type { Invocation, Io } from "../io.ts";
import { EXIT } from "../io.ts";
import type { NatsFlags } from "../options.ts";

interface WorkFlags extends NatsFlags {
  readonly nats: string;
  readonly once?: boolean;
}

/** Ctrl-C is how a worker that waits is ended; one that measures is interrupted. */
const CODES: Readonly<Record<WorkEnd, number>> = {
  stopped: EXIT.ok,
  interrupted: EXIT.interrupted,
  done: EXIT.ok,
};

/** `wirebench work`: offers this machine to the runs of others. */
export async function work(flags: WorkFlags, io: Io): Promise<number> {
  const end = await untilInterrupted((signal) =>
    offer({
      server: serverOf(flags.nats, flags),
      once: flags.once === true,
      signal,
      say: (line) => io.tell(`${oneLine(line)}\n`),
    }),
  );
  return CODES[end];
}

/** The flags of `wirebench run --on`. */
export interface RunOnFlags extends NatsFlags {
  readonly on: string;
  readonly machines?: number;
}

/** `wirebench run --on`: finds out what can be wrong, and returns what has the machines at a NATS server measure. */
export async function elsewhere(
  flags: RunOnFlags,
  { plan, selection }: { readonly plan: Plan; readonly selection: Selection },
  io: Invocation,
): Promise<(signal: AbortSignal, onRecord: (record: RunRecord) => void) => Promise<RunRecord>> {
  const carryOut = await prepareFleetRun(plan, selection, {
    server: serverOf(flags.on, flags),
    ...defined({ machines: flags.machines }),
  });
  const say = (line: string): void => io.tell(`${oneLine(line)}\n`);
  return (signal, onRecord) => carryOut({ command: io.command, signal, say, onRecord });
}

function serverOf(address: string, { natsCreds, tlsCa, tlsCert, tlsKey }: NatsFlags) {
  return { address, ...defined({ natsCreds, tlsCa, tlsCert, tlsKey }) };
}
