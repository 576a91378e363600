/** Records of codecs with known sizes and times, for tests of what is said of them. */
import { answersOf } from "../../../src/analysis/answer/answer.ts";
import { withStandings } from "../../../src/analysis/standings.ts";
import { confidenceInterval } from "../../../src/analysis/statistics/location.ts";
import type { Answer } from "../../../src/model/records/answer.ts";
import type {
  Cell,
  CompressionRecord,
  DatasetRecord,
  PayloadRecord,
  RunOptionsRecord,
  RunRecord,
} from "../../../src/model/records/run.ts";
import type { Trait, World } from "../../../src/model/traits.ts";
import { recordOf } from "../../reports/record.ts";
import { Simulation } from "../simulated-cells.ts";

/** A codec: bytes of its message, and nanoseconds of each operation. */
export interface Choice {
  readonly bytes: number;
  readonly gzip?: number;
  readonly encode?: number;
  readonly decode?: number;
  /** Bytes that each operation allocates. */
  readonly heap?: number;
  /** Nanoseconds until the first message is encoded. */
  readonly cold?: number;
  readonly traits?: readonly Trait[];
  readonly world?: World;
}

/** What the codecs are that have these names. */
export const KNOWN: Readonly<Record<string, Pick<Choice, "traits" | "world">>> = {
  json: { traits: ["schemaless", "self-describing", "evolves"] },
  msgpackr: { traits: ["schemaless", "self-describing", "evolves", "binary"] },
  v8: { traits: ["schemaless", "self-describing", "evolves", "binary", "one-reader"] },
  protobufjs: { traits: ["evolves", "binary", "needs-eval"] },
  flatbuffers: { traits: ["evolves", "binary", "zero-copy"] },
  "raw-struct": { traits: ["binary", "zero-copy", "bounded"], world: "C" },
  "erlang-etf": { traits: ["schemaless", "self-describing", "evolves", "binary"], world: "Erlang" },
};

/** How a run was made. */
export interface Circumstances {
  readonly blocks?: number;
  /** Standard deviation of the logarithms of processes. */
  readonly noise?: number;
  readonly seed?: number;
  readonly options?: Partial<RunOptionsRecord>;
  readonly dataset?: Partial<DatasetRecord>;
  readonly compression?: readonly CompressionRecord[];
}

/** The record of a run of these codecs on `tellist`, with json measured twice more where it is among them. */
export function runOf(
  choices: Readonly<Record<string, Choice>>,
  circumstances: Circumstances = {},
): RunRecord {
  const { blocks = 8, noise = 0.005, seed = 1, options, dataset, compression = [] } = circumstances;
  const simulation = new Simulation(seed, blocks);
  const of = (operation: "encode" | "decode"): Cell[] => {
    const times = Object.fromEntries(
      Object.entries(choices).flatMap(([codec, choice]) => {
        const time = choice[operation];
        return time === undefined ? [] : [[codec, time] as const];
      }),
    );
    const json = times["json"];
    const twins = json === undefined ? {} : { again: json };
    return simulation
      .table({ ...times, ...twins }, noise, { operation })
      .map((cell) => filled(cell, choices, blocks));
  };
  const cells = [...of("encode"), ...of("decode")];
  const record = recordOf(cells);
  const payloads = Object.entries(choices).map(([codec, { bytes, gzip = bytes }]): PayloadRecord => {
    return { dataset: "tellist", codec, bytes, gzip, brotli: gzip };
  });
  const compared = withStandings(cells, { baseline: "json", threshold: 0.01 });
  return {
    ...record,
    options: { ...record.options, processes: blocks, ...options },
    datasets: record.datasets.map((one) => ({ ...one, ...dataset })),
    payloads,
    compression,
    ...(compared.noise !== undefined && { noise: compared.noise }),
    cells: compared.cells,
  };
}

/** The same with its answer. */
export function answered(record: RunRecord): RunRecord {
  return { ...record, answer: answersOf(record) };
}

/** The claim of a goal among some codecs. */
export function claimOf(
  record: RunRecord,
  goal: Answer["goal"],
  among: Answer["among"] = "all",
): Answer | undefined {
  return answersOf(record).find((one) => one.goal === goal && one.among === among);
}

function filled(cell: Cell, choices: Readonly<Record<string, Choice>>, blocks: number): Cell {
  const choice = choices[cell.twinOf ?? cell.codec]!;
  const { traits, world } = { ...KNOWN[cell.twinOf ?? cell.codec], ...choice };
  const { heap, cold, bytes } = choice;
  const memory = heap !== undefined && {
    memory: {
      heapBytes: heap,
      externalBytes: 0,
      gcNanos: 0,
      longestPauseNanos: 0,
      retainedBytes: 0,
      leakedBytes: 0,
      findings: [],
    },
  };
  const times = {
    importNanos: 0,
    bindNanos: 0,
    firstCallNanos: cell.operation === "encode" ? (cold ?? 0) : 0,
  };
  const processes = Array.from({ length: blocks }, (_, block) => {
    // Within a per cent of each other.
    return { block, ...times, firstCallNanos: times.firstCallNanos * (1 + (block % 3) / 300) };
  });
  const nanos = cell.nanos && { ...cell.nanos, ci95: confidenceInterval(cell.nanos.processes) };
  return {
    ...cell,
    ...(nanos !== undefined && { nanos }),
    bytes,
    ...(traits !== undefined && { traits }),
    ...(world !== undefined && { world }),
    ...memory,
    ...(cold !== undefined && { start: { ...times, steadyNanos: null, processes } }),
  };
}
