/** One exchange of messages: starts its talkers and listeners, leads them through it, and leaves nothing behind. */
import { randomBytes } from "node:crypto";
import os from "node:os";
import path from "node:path";
import { WirebenchError } from "../../model/errors.ts";
import { Clock, clockBase, sharesClock } from "../clock.ts";
import { transportNamed } from "../transport.ts";
import { removeFolders } from "../wire/own-folder.ts";
import type { Bound } from "./control.ts";
import type { Member } from "./group.ts";
import { Group } from "./group.ts";
import type { ListenerLog, Phase, TalkerLog } from "./job.ts";
import { type IpcJob, type Part, partName } from "./job.ts";

/** What is to be exchanged, by whom and how. */
export interface ExchangeSpec extends Omit<IpcJob, keyof Part | "folder" | "clockBase" | "delayMs"> {
  /** By how much the last listener is to be slower with each message, in milliseconds. */
  readonly listenerDelayMs: number;
  readonly phases: readonly Phase[];
  /** An exchange in which nothing happens for so long has failed. */
  readonly timeoutSeconds: number;
}

/** A binding that holds, or why there is none. */
type Held = Exclude<Bound, { refused: unknown }>;
type Refused = Extract<Bound, { refused: unknown }>;

/** What an exchange came to. */
export interface Exchange {
  readonly bound: Held;
  /** In milliseconds: until the process answered, until it had codec and data, until it was connected. */
  readonly parts: readonly (Part & {
    readonly startMs: number;
    readonly bindMs: number;
    readonly connectMs: number;
  })[];
  readonly phases: readonly PhaseLogs[];
  /** The least time that asking for the time took, in nanoseconds: clocks differ by no more. */
  readonly clockNanos: number;
}

/** A phase, with a log per talker and per listener. */
export interface PhaseLogs {
  readonly phase: Phase;
  readonly talkers: readonly TalkerLog[];
  readonly listeners: readonly ListenerLog[];
}

/** What a caller hears while an exchange goes on. */
export interface ExchangeHooks {
  readonly signal?: AbortSignal;
  /** Called once all are there and before any message; a thread has no `pid`. */
  readonly onStarted?: (parts: readonly (Part & { readonly pid: number | undefined })[]) => void;
  /** Called now and then with the share of the messages that listeners were done with, from 0 to 1. */
  readonly onShare?: (share: number) => void;
}

/**
 * Runs an exchange. Throws WirebenchError when anything went wrong: whoever took part is gone by then, and so is
 * what they left behind.
 */
export async function exchange(spec: ExchangeSpec, hooks: ExchangeHooks = {}): Promise<Exchange | Refused> {
  const { signal } = hooks;
  const transport = await transportNamed(spec.transport);
  signal?.throwIfAborted();
  // Its path is short, because that of a socket has to be. Who makes it knows it, and removes it in any case.
  const folder = path.join(os.tmpdir(), `wb-${randomBytes(6).toString("hex")}`);
  let counting = false;
  const group = new Group(partsOf(spec), transport, {
    handled: () => {
      if (counting) hooks.onShare?.(shareOf(group, spec));
    },
    timeoutSeconds: spec.timeoutSeconds,
    signal,
  });
  try {
    return await lead(group, spec, folder, {
      ...hooks,
      onPhase: (phase) => {
        counting = phase === spec.phases.at(-1);
      },
    });
  } finally {
    await group.stop();
    removeFolders(transport, { folder, address: spec.address });
  }
}

/** From the start of the processes to the end of the last phase. */
async function lead(
  group: Group,
  spec: ExchangeSpec,
  folder: string,
  hooks: ExchangeHooks & { onPhase(phase: Phase): void },
): Promise<Exchange | Refused> {
  const base = clockBase();
  const clock = new Clock(base);
  const took = async (work: (member: Member) => Promise<unknown>): Promise<Map<Member, number>> => {
    const begun = clock.now();
    const times = group.members.map(async (member) => {
      await work(member);
      return [member, (clock.now() - begun) / 1e6] as const;
    });
    return new Map(await group.guard(Promise.all(times)));
  };

  const startMs = await took((member) => member.control.ask("time", undefined));
  group.stage = "codec and data were loaded";
  const bounds = new Map<Member, Bound>();
  const bindMs = await took(async (member) => {
    bounds.set(member, await member.control.ask("bind", jobOf(member.part, spec, folder, base)));
  });
  const refused = [...bounds.values()].find((bound): bound is Refused => "refused" in bound);
  if (refused !== undefined) return refused;
  const held = group.of("talker").map((talker) => bounds.get(talker) as Held);
  const clockNanos = await provenClocks(group, clock);
  const members = [...group.of("talker"), ...group.of("listener")];
  hooks.onStarted?.(members.map(({ part, pid }) => ({ ...part, pid })));

  group.stage = "they connected";
  const maxBytes = Math.max(...held.flatMap((bound) => bound.encodedBytes));
  const addresses = await group.ask(group.of("talker"), "open", () => ({ maxBytes }));
  const connectMs = await took(({ part, control }) =>
    part.role === "talker"
      ? control.ask("accept", undefined)
      : control.ask("connect", { maxBytes, addresses: addresses.map((each) => each[part.id]) }),
  );

  const phases: PhaseLogs[] = [];
  for (const phase of spec.phases) {
    hooks.onPhase(phase);
    group.stage = phase.name === "warmup" ? "the warm-up went on" : "messages were exchanged";
    phases.push(await run(group, phase));
  }
  const parts = members.map((member) => ({
    ...member.part,
    startMs: startMs.get(member)!,
    bindMs: bindMs.get(member)!,
    connectMs: connectMs.get(member)!,
  }));
  return { bound: held[0]!, parts, phases, clockNanos };
}

async function run(group: Group, phase: Phase): Promise<PhaseLogs> {
  const [listeners, talkers] = await Promise.all([
    group.ask(group.of("listener"), "listen", () => phase),
    group.ask(group.of("talker"), "talk", () => phase),
  ]);
  return { phase, talkers, listeners };
}

async function provenClocks(group: Group, clock: Clock): Promise<number> {
  let most = 0;
  for (const { part, control } of group.members) {
    const nanos = await group.guard(sharesClock(clock, () => control.ask("time", undefined)));
    if (nanos === undefined) {
      throw new WirebenchError(
        `${partName(part)} has another clock than its coordinator: times between processes cannot be compared here`,
      );
    }
    most = Math.max(most, nanos);
  }
  return most;
}

function partsOf({ talkers, listeners }: ExchangeSpec): Part[] {
  const make = (role: Part["role"], count: number): Part[] =>
    Array.from({ length: count }, (_, id) => ({ role, id }));
  return [...make("talker", talkers), ...make("listener", listeners)];
}

function jobOf(part: Part, spec: ExchangeSpec, folder: string, base: bigint): IpcJob {
  const { phases: _, timeoutSeconds: __, listenerDelayMs, ...shared } = spec;
  const isFirst = part.role === "talker" && part.id === 0;
  const isLast = part.role === "listener" && part.id === spec.listeners - 1;
  return {
    ...shared,
    ...part,
    // Once is enough: it is the same codec and the same data everywhere.
    prove: spec.prove && isFirst,
    describe: spec.describe && isFirst,
    delayMs: isLast ? listenerDelayMs : 0,
    folder,
    clockBase: base,
  };
}

function shareOf(group: Group, { phases, talkers, listeners }: ExchangeSpec): number {
  const all = phases.at(-1)!.messages * talkers * listeners;
  const handled = group.of("listener").reduce((sum, listener) => sum + listener.handled(), 0);
  // What a listener says last of the warm-up comes when the phase that counts has begun.
  return Math.min(1, handled / all);
}
