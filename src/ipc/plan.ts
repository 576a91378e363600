import { Registry, splitName } from "../catalog/registry.ts";
import type { Dataset } from "../model/dataset.ts";
import { defined } from "../model/defined.ts";
import { UsageError } from "../model/errors.ts";
import { expectName, expectNumber } from "../model/expect-option.ts";
import { inBytes } from "../model/in-bytes.ts";
import { nearNames } from "../model/near-names.ts";
import { IPC_TESTS, type IpcTestName, type Reliability } from "../model/records/ipc.ts";
import type { Int64Mode } from "../model/schema.ts";
import { show } from "../model/value.ts";
import { withoutLogin } from "../model/without-login.ts";
import { selectCodecs } from "../suite/natives.ts";
import { planDatasets } from "../suite/planned-dataset.ts";
import type { NativeSelection } from "../suite/selection.ts";
import { expectSharedClock } from "./clock.ts";
import { type PlannedExchanges, planExchanges } from "./native-cells.ts";
import { type CarrierIdentity, identityOf, READY_BYTES } from "./participants/carrier.ts";
import { expectPayloadTaken, plannedPayload, sizedNames } from "./payload.ts";
import {
  type IpcCell,
  type IpcProfile,
  type SendMode,
  type SizedDataset,
  TEST_PARAMETERS,
  type TestParameters,
} from "./test-parameters.ts";
import { type TransportDefinition, transportNamed } from "./transport.ts";

/** What is to be measured between processes. Everything but `tests` has a default. */
export interface IpcSelection {
  /** Names, or `all`. */
  readonly tests: readonly string[];
  /** Names or patterns, and `ready-bytes` for the transport alone. */
  readonly codecs?: readonly string[];
  /** Names, or datasets from `loadDataset`; one whose size is in bytes and not given has that of `payloads`. */
  readonly datasets?: readonly (string | Dataset)[];
  /** Sizes of messages, in bytes. */
  readonly payloads?: readonly number[];
  /** Messages per talker. */
  readonly messages?: number;
  /** `uds`, or as `nats://host:4222` with what the transport is to know. */
  readonly transport?: string;
  /** Messages per second and talker. */
  readonly rateHz?: number;
  readonly reliability?: Reliability;
  readonly depth?: number;
  readonly profile?: IpcProfile;
  /** Type of 64-bit integers in the datasets that are named; by default numbers where all are safe. */
  readonly int64?: Int64Mode;
  readonly plugins?: readonly string[];
  /** Measure the originals of the codecs too, on the datasets `frame` and `cloud` over Unix sockets; none by default. */
  readonly native?: NativeSelection;
  /** Slows the last listener down with each message, in milliseconds. */
  readonly listenerDelayMs?: number;
  /** An exchange in which nothing happens for so long has failed; by default 120. */
  readonly timeoutSeconds?: number;
}

/** A selection with every name known and every default filled in. */
export interface IpcPlan {
  readonly tests: readonly IpcTestName[];
  readonly codecs: readonly string[];
  readonly datasets: readonly SizedDataset[];
  readonly cells: readonly IpcCell[];
  readonly profile: IpcProfile;
  /** Its name, what follows that, and how records show it: without a password. */
  readonly transport: { readonly name: string; readonly address: string; readonly shown: string };
  readonly scope: TransportDefinition["scope"];
  readonly int64: Int64Mode | undefined;
  readonly plugins: readonly string[];
  /** The reference programs that have tests, and what to install for those that are left out, a line each. */
  readonly natives: Pick<PlannedExchanges, "records" | "missing">;
  readonly listenerDelayMs: number;
  readonly timeoutSeconds: number;
}

/** Of the published tests. Beside data of a user's own stands JSON too, as what a program would send otherwise. */
const CODECS = ["protobufjs", "capnp-ts", "flatbuffers", "msgpackr", "raw-struct"];
const TRANSPORT = "uds";
const TIMEOUT_SECONDS = 120;

/** Messages of a test that is made until so many bytes have gone, at most: each is a row of messages.csv. */
const MAX_MESSAGES = 100_000;

/**
 * Fills in a selection. Throws UsageError for what makes no sense, and for names not known with the near ones.
 * @param planned programs of `native`, where several plans have them in common
 */
export async function makeIpcPlan(selection: IpcSelection, planned?: PlannedExchanges): Promise<IpcPlan> {
  const { plugins = [], int64, listenerDelayMs = 0, timeoutSeconds = TIMEOUT_SECONDS } = selection;
  const profile = expectName("profile", selection.profile ?? "standard", TEST_PARAMETERS);
  expectSelection({ ...selection, listenerDelayMs, timeoutSeconds });
  expectPace("rate", 1 / (selection.rateHz ?? Number.POSITIVE_INFINITY), timeoutSeconds);
  expectPace("listener-delay", listenerDelayMs / 1000, timeoutSeconds);
  const registry = await Registry.open(plugins);
  const tests = selectTests(selection.tests);
  const isOwn = selection.datasets?.some((dataset) => typeof dataset !== "string") === true;
  const standard = isOwn ? [...CODECS, "json"] : CODECS;
  const codecs = await selectCarriers(registry, selection.codecs ?? standard, selection.native?.folder);
  const transport = splitTransport(selection.transport ?? TRANSPORT);
  const { scope, takes } = await transportNamed(transport.name);
  expectAddress(transport, takes);
  if (scope === "inter-process") expectSharedClock();
  if (selection.native !== undefined) expectNativeSetup(transport.shown, listenerDelayMs);
  const identities = new Map<string, CarrierIdentity>();
  for (const codec of codecs) identities.set(codec, await identityOf(registry, codec));
  if (selection.datasets !== undefined && selection.payloads !== undefined)
    await expectPayloadTaken(registry, selection.datasets);
  const sources = await Promise.all(
    tests.map((test) => sourcesOf(registry, selection, TEST_PARAMETERS[profile][test])),
  );
  const datasets = await sizedDatasets(registry, sources.flat(), int64);
  const exchanges = planned ?? (await planExchanges(selection.native));
  const cells = tests.flatMap((test, index) => {
    const parameters = TEST_PARAMETERS[profile][test];
    const { talkers, listeners, warmup } = parameters;
    return [...new Set(sources[index])].flatMap((source) => {
      const dataset = datasets.get(nameOf(source))!;
      return modesOf(parameters, selection).flatMap((mode) => {
        expectRoom(mode.depth * talkers, dataset);
        return messagesOf(parameters, selection, dataset).flatMap((messages) =>
          codecs.flatMap((codec): IpcCell[] => {
            const identity = identities.get(codec)!;
            const cell = { test, codec, identity, dataset, talkers, listeners, messages, warmup, ...mode };
            return [cell, ...exchanges.cellsOf(cell)];
          }),
        );
      });
    });
  });
  return {
    tests,
    codecs,
    datasets: [...datasets.values()],
    cells,
    profile,
    transport,
    scope,
    int64,
    plugins,
    natives: exchanges,
    listenerDelayMs,
    timeoutSeconds,
  };
}

/** The programs talk over Unix sockets, and their listeners at once. */
function expectNativeSetup(transport: string, listenerDelayMs: number): void {
  if (transport !== TRANSPORT)
    throw new UsageError(`native: the originals send over ${TRANSPORT}, got the transport ${transport}`);
  if (listenerDelayMs > 0)
    throw new UsageError(`native: the originals have no listener-delay, got ${listenerDelayMs} ms`);
}

function selectTests(names: readonly string[]): IpcTestName[] {
  const all = [...IPC_TESTS, "all"];
  const unknown = names.find((name) => !all.includes(name));
  if (unknown !== undefined) throw new UsageError(`unknown test "${unknown}"${nearNames(unknown, all)}`);
  return IPC_TESTS.filter((test) => names.includes(test) || names.includes("all"));
}

async function selectCarriers(
  registry: Registry,
  patterns: readonly string[],
  folder: string | undefined,
): Promise<string[]> {
  const selected: string[] = [];
  for (const pattern of patterns) {
    const isReady = pattern === READY_BYTES;
    if (!isReady && nearNames(pattern, [READY_BYTES]).includes("did you mean")) {
      throw new UsageError(`unknown codec "${pattern}", did you mean ${READY_BYTES}?`);
    }
    selected.push(...(isReady ? [pattern] : await selectCodecs(registry, [pattern], folder)));
  }
  return [...new Set(selected)];
}

/** `nats://host:4222` is the transport `nats` with the whole text as its address; `shm:/mnt` has what follows. */
function splitTransport(given: string): IpcPlan["transport"] {
  const [name, rest = ""] = splitName(given);
  return { name, address: rest.startsWith("//") ? given : rest, shown: withoutLogin(given) };
}

function modesOf({ modes }: TestParameters, { reliability, depth, rateHz }: IpcSelection): SendMode[] {
  const wanted = modes.filter((mode) => reliability === undefined || mode.reliability === reliability);
  // A test that has only the other mode is made in this one too.
  const chosen = wanted.length > 0 ? wanted : [{ reliability: reliability!, depth: 1 }];
  return chosen.map((mode) => ({ ...mode, ...defined({ depth, rateHz }) }));
}

function messagesOf(
  { messages, totalBytes }: TestParameters,
  selection: IpcSelection,
  { payloadBytes }: SizedDataset,
): readonly number[] {
  if (selection.messages !== undefined) return [selection.messages];
  if (totalBytes === undefined) return messages;
  return [Math.min(MAX_MESSAGES, Math.ceil(totalBytes / payloadBytes))];
}

/** The datasets of a test: names, with a size where it is in bytes, or a user's own. */
async function sourcesOf(
  registry: Registry,
  selection: IpcSelection,
  parameters: TestParameters,
): Promise<(string | Dataset)[]> {
  const { datasets = parameters.datasets, payloads = parameters.payloads } = selection;
  const sources = datasets.map((one) =>
    typeof one === "string" ? sizedNames(registry, one, payloads) : [one],
  );
  return (await Promise.all(sources)).flat();
}

/** Datasets by their names, each made once. */
async function sizedDatasets(
  registry: Registry,
  sources: readonly (string | Dataset)[],
  int64: Int64Mode | undefined,
): Promise<ReadonlyMap<string, SizedDataset>> {
  const sized = new Map<string, SizedDataset>();
  for (const planned of await planDatasets(registry, sources, int64)) {
    const payloadBytes = await plannedPayload(registry, planned, int64);
    sized.set(planned.name, { ...planned, payloadBytes });
  }
  return sized;
}

function nameOf(source: string | Dataset): string {
  return typeof source === "string" ? source : source.name;
}

/** A transport has what it needs after its name, and nothing else. */
function expectAddress(
  { name, address, shown }: IpcPlan["transport"],
  takes: TransportDefinition["takes"],
): void {
  if (takes === undefined && shown !== name) {
    throw new UsageError(`transport "${shown}": expected ${name} alone: nothing follows its name`);
  }
  if (takes?.required === true && address.replace(/^\w+:\/*/, "") === "") {
    throw new UsageError(`transport "${shown}": expected ${takes.what}, as ${takes.example}`);
  }
}

/** What each number may be. */
const BOUNDS = {
  messages: { integer: true, least: 1, most: 200_000 },
  rateHz: { integer: false, least: 0.001, most: 1_000_000 },
  depth: { integer: true, least: 1, most: 1000 },
  listenerDelayMs: { integer: false, least: 0, most: 60_000 },
  timeoutSeconds: { integer: false, least: 0.1, most: 86_400 },
} as const;

/** A pace at which nothing would happen for longer than a test may be silent is refused. */
function expectPace(name: string, seconds: number, timeoutSeconds: number): void {
  if (seconds < timeoutSeconds) return;
  throw new UsageError(
    `${name}: a message would take ${seconds} s, expected less than the timeout of ${timeoutSeconds} s`,
  );
}

/** Bytes that messages on their way may take together. */
const MAX_WAITING_BYTES = 2e9;

function expectRoom(messages: number, { name, payloadBytes }: SizedDataset): void {
  const bytes = messages * payloadBytes;
  if (bytes <= MAX_WAITING_BYTES) return;
  throw new UsageError(
    `depth: ${messages} messages of "${name}" on their way would take ${inBytes(bytes)}, expected at most ${MAX_WAITING_BYTES}`,
  );
}

/** Numbers within their bounds, and lists that are lists: a program may pass anything. */
function expectSelection(selection: Readonly<Record<string, unknown>>): void {
  for (const list of ["tests", "codecs", "datasets", "payloads", "plugins"] as const) {
    const value: unknown = selection[list];
    if (value === undefined && list !== "tests") continue;
    if (!Array.isArray(value)) throw new UsageError(`${list}: expected a list, got ${show(value)}`);
    if (value.length === 0 && list !== "plugins") {
      throw new UsageError(`${list}: expected at least one, got none`);
    }
  }
  const { transport } = selection;
  if (transport !== undefined && typeof transport !== "string") {
    throw new UsageError(`transport: expected its name, got ${show(transport)}`);
  }
  const { reliability } = selection;
  if (reliability !== undefined)
    expectName("reliability", String(reliability), { reliable: true, "best-effort": true });
  for (const [option, bounds] of Object.entries(BOUNDS)) {
    const value = selection[option];
    if (value !== undefined) expectNumber(option, value as number, bounds);
  }
}
