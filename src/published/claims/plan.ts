/** What has to be measured for published claims: one run of codecs, and tests between processes. */

import { CLAIMS, type Claim, claimOf, type Measurable } from "../../analysis/claims/statements.ts";
import { nameIn, SYSTEMS } from "../../analysis/claims/systems.ts";
import { planExchanges } from "../../ipc/native-cells.ts";
import { type IpcPlan, type IpcSelection, makeIpcPlan } from "../../ipc/plan.ts";
import type { IpcCell } from "../../ipc/test-parameters.ts";
import { UsageError } from "../../model/errors.ts";
import { expectName } from "../../model/expect-option.ts";
import { nearNames } from "../../model/near-names.ts";
import type { IpcTestName } from "../../model/records/ipc.ts";
import type { Pair } from "../../suite/pair.ts";
import { makePlan, type Plan } from "../../suite/plan.ts";
import type { NativeSelection } from "../../suite/selection.ts";

/** How long the tests take for how much certainty. */
export type ClaimsProfile = "quick" | "standard";

/** Which claims are tested. Everything has a default. */
export interface ClaimsSelection {
  /** Ids; by default all. */
  readonly only?: readonly string[];
  /** By default `standard`. */
  readonly profile?: ClaimsProfile;
  /** Makes the order of the measurements repeatable. */
  readonly seed?: number;
  /** The originals to measure too; none where it is absent. */
  readonly native?: NativeSelection;
  /** A process that gives no sign that it gets on for this long is killed; by default 120. */
  readonly timeoutSeconds?: number;
}

/** A selection with every default filled in. */
export interface ClaimsPlan {
  readonly claims: readonly Claim[];
  readonly profile: ClaimsProfile;
  readonly seed: number;
  /** What to install for the originals that cannot be measured here, a line each. */
  readonly missing: readonly string[];
  /** Absent where no claim needs it. */
  readonly run?: Plan;
  readonly ipc?: IpcPlan;
}

/** What is sent between processes. The sizes are the published ones, where there are any, in both profiles. */
interface IpcSizes {
  /** Messages of 6.5 MB: enough for the interval of a median. */
  readonly latency: number;
  /** Messages of 26 MB per talker. */
  readonly drops: number;
  /** Bytes of each of 20,000 messages, of which no size was published. */
  readonly stability: number;
  /** Whether messages of many fields are sent too. */
  readonly cloud: boolean;
}

const SIZES: Readonly<Record<ClaimsProfile, IpcSizes>> = {
  quick: { latency: 30, drops: 30, stability: 65_000, cloud: false },
  standard: { latency: 100, drops: 100, stability: 650_000, cloud: true },
};

/** The tests that each claim is judged by. The first messages of all processes say what a first message takes. */
const TESTS: Readonly<Record<string, readonly IpcTestName[]>> = {
  "capnp-latency": ["latency"],
  "capnp-throughput": ["throughput"],
  "capnp-stable": ["stability"],
  "capnp-drops-less": ["one-to-two", "two-to-one"],
  "capnp-single-point": ["latency", "throughput", "single-point"],
};

/** Fills in a selection. Throws UsageError for what makes no sense, and for ids not known with the near ones. */
export async function makeClaimsPlan(selection: ClaimsSelection): Promise<ClaimsPlan> {
  const profile = expectName("profile", selection.profile ?? "standard", SIZES);
  const claims = selection.only === undefined ? CLAIMS : selectClaims(selection.only);
  const run = await planRun(claims, selection, profile);
  const ipc = await planIpc(claims, selection, profile);
  const seed = run?.seed ?? selection.seed ?? 0;
  return {
    claims,
    profile,
    seed,
    missing: [...(run?.natives?.missing ?? []), ...(ipc?.natives.missing ?? [])],
    ...(run && { run }),
    ...(ipc && { ipc }),
  };
}

function selectClaims(ids: readonly string[]): Claim[] {
  const known = CLAIMS.map(({ id }) => id);
  const unknown = ids.find((id) => claimOf(id) === undefined);
  if (unknown !== undefined) throw new UsageError(`unknown claim "${unknown}"${nearNames(unknown, known)}`);
  return CLAIMS.filter(({ id }) => ids.includes(id));
}

/** One run whose processes are those of the codecs on the data that claims are about, and no others. */
async function planRun(
  claims: readonly Claim[],
  { seed, native, timeoutSeconds }: ClaimsSelection,
  profile: ClaimsProfile,
): Promise<Plan | undefined> {
  const tests = claims.flatMap((claim) => claim.tests ?? []);
  const wanted = tests.flatMap(({ of, to }) => [of, to]);
  // Sizes are exact: one block tells them, and noise plays no part.
  const isTimed = tests.some(({ quantity }) => quantity !== "bytes");
  const [first] = wanted;
  if (first === undefined) return undefined;
  const codecOf = ({ system }: Measurable): string => SYSTEMS[system].codec;
  const datasets = [...new Set(wanted.map(({ dataset }) => dataset))];
  // What it is compared with most has the twins that tell noise.
  const { codec: reference } = SYSTEMS.protobuf;
  const plan = await makePlan({
    codecs: [...new Set(wanted.map(codecOf))],
    ...(wanted.some((one) => codecOf(one) === reference) ? { baseline: reference } : {}),
    datasets,
    operations: [...new Set(wanted.map(({ operation }) => operation))],
    profile,
    survey: false,
    ...(isTimed ? {} : { blocks: [0] }),
    ...(native === undefined ? {} : { native }),
    ...(seed === undefined ? {} : { seed }),
    ...(timeoutSeconds === undefined ? {} : { timeoutSeconds }),
  });
  // What differs between a codec and itself is measured where the baseline is.
  const isWanted = (codec: string, dataset: string): boolean =>
    wanted.some((one) => codecOf(one) === codec && one.dataset === dataset);
  const home = datasets.find((dataset) => isWanted(plan.baseline, dataset));
  return {
    ...plan,
    // Most ratios are of two and more: beside others too four processes tell them, and all claims take minutes.
    profile: { ...plan.profile, busyProcessMs: 0 },
    pairs: plan.pairs.filter((pair, _, all) => {
      const { codec, twinOf, dataset, identity } = pair;
      if (identity.program !== undefined) return isOriginal(pair, wanted, all);
      return twinOf === undefined ? isWanted(codec, dataset.name) : isTimed && dataset.name === home;
    }),
    operations: plan.operations.map((operation) => {
      const own = new Set(
        wanted.filter((one) => one.operation === operation.name).map(({ dataset }) => dataset),
      );
      const [only] = own;
      return own.size === 1 && only !== undefined ? { ...operation, dataset: only } : operation;
    }),
  };
}

/** Whether a row of a native program is that by which a system is judged, on data that is wanted of it. */
function isOriginal(
  { codec, dataset }: Pair,
  wanted: readonly Measurable[],
  pairs: readonly Pair[],
): boolean {
  const rows = pairs.map((pair) => ({ codec: pair.codec, ...pair.identity }));
  return wanted.some(
    ({ system, dataset: name }) => name === dataset.name && nameIn(rows, system, "native") === codec,
  );
}

async function planIpc(
  claims: readonly Claim[],
  { timeoutSeconds, native }: ClaimsSelection,
  profile: ClaimsProfile,
): Promise<IpcPlan | undefined> {
  const tests = new Set(claims.flatMap(({ id }) => TESTS[id] ?? []));
  const sizes = SIZES[profile];
  const selections = [...tests].flatMap((test) => selectionsOf(test, sizes));
  if (selections.length === 0) return undefined;
  const exchanges = await planExchanges(native);
  const plans = await Promise.all(
    selections.map((selection) =>
      makeIpcPlan(
        {
          ...selection,
          codecs: [SYSTEMS.capnp.codec, SYSTEMS.protobuf.codec],
          ...(timeoutSeconds === undefined ? {} : { timeoutSeconds }),
        },
        exchanges,
      ),
    ),
  );
  const [first] = plans as [IpcPlan, ...IpcPlan[]];
  const datasets = new Map(plans.flatMap((plan) => plan.datasets.map((one) => [one.name, one] as const)));
  return {
    ...first,
    profile,
    tests: [...tests],
    datasets: [...datasets.values()],
    cells: plans.flatMap(({ cells }) => cells.map(withEnough)),
  };
}

/** Bytes of the published messages. */
const [PUBLISHED, PUBLISHED_LARGE] = [6_500_000, 26_000_000];

/** The originals take a tenth of the time, and always have as many messages for a median as were published. */
function withEnough(cell: IpcCell): IpcCell {
  return cell.native !== undefined && cell.test === "latency"
    ? { ...cell, messages: Math.max(cell.messages, SIZES.standard.latency) }
    : cell;
}

/** Messages of many fields, each of which takes as long as many of one. */
const FEW = 30;

function selectionsOf(test: IpcTestName, sizes: IpcSizes): IpcSelection[] {
  const own = { tests: [test], datasets: ["frame"], payloads: [PUBLISHED] };
  switch (test) {
    case "latency": {
      const cloud = { ...own, datasets: ["cloud"], messages: FEW };
      return [{ ...own, messages: sizes.latency }, ...(sizes.cloud ? [cloud] : [])];
    }
    case "stability":
      return [{ ...own, payloads: [sizes.stability] }];
    case "one-to-two":
    case "two-to-one":
      return [
        {
          ...own,
          payloads: [PUBLISHED_LARGE],
          messages: sizes.drops,
          reliability: "best-effort",
          depth: 1,
          rateHz: 20,
        },
      ];
    default:
      return [own];
  }
}
