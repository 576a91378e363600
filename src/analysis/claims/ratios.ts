/** Claims that are judged by the cells of a run: sizes, times and rates, each as a ratio of two. */
import type { ClaimFigure, ClaimPart, ClaimResult, Side } from "../../model/records/claims.ts";
import type { Cell, RunRecord } from "../../model/records/run.ts";
import { CellIndex, isMeasured, type MeasuredCell } from "../cells.ts";
import { pairedRatio } from "../statistics/ratio.ts";
import { replicatesOf } from "../verdict.ts";
import type { Estimate } from "./evidence.ts";
import { judgeRatio, verdictOfParts } from "./rules.ts";
import type { Measurable, RatioTest } from "./statements.ts";
import { nameIn, unmeasured } from "./systems.ts";

/** What a run says of a claim on one side. */
export function ratioResult(run: RunRecord, tests: readonly RatioTest[], side: Side): ClaimResult {
  const systems = [...new Set(tests.flatMap(({ of, to }) => [of.system, to.system]))];
  const subjects = systems.flatMap((system) => nameIn(run.cells, system, side) ?? []);
  const index = new CellIndex(run.cells);
  const parts = tests.map((test) => partOf(run, index, test, side));
  return { side, subjects, ...verdictOfParts(parts), parts };
}

function partOf(run: RunRecord, index: CellIndex, test: RatioTest, side: Side): ClaimPart {
  const { what, published, of, to, rule, quantity } = test;
  const [one, other] = [of, to].map((wanted) => {
    const found = measured(run, index, wanted, side);
    // Protobuf has as many bytes in any language.
    return typeof found === "string" && quantity === "bytes" && wanted.system === "protobuf"
      ? measured(run, index, wanted, "typescript")
      : found;
  });
  if (typeof one !== "object" || typeof other !== "object") {
    const reason = [one, other].find((found): found is string => typeof found === "string");
    return {
      what,
      published,
      figures: [],
      verdict: "not testable",
      ...(reason === undefined ? {} : { reason }),
    };
  }
  const ratio = RATIOS[quantity](one, other);
  const figures = [one, other].map((cell) => FIGURES[quantity](cell));
  if (ratio === undefined || !Number.isFinite(ratio.middle)) {
    return {
      what,
      published,
      figures,
      verdict: "not testable",
      reason: "there are too few processes for an interval, or a call took no longer than the loop around it",
    };
  }
  // What a codec differs from itself is of JavaScript.
  const gate = side === "native" ? run.options.threshold : run.noise?.gate;
  const judged = judgeRatio(ratio, published, rule, quantity === "bytes" ? 0 : gate);
  return { what, published, figures, ratio: ratio.middle, ci95: [ratio.low, ratio.high], ...judged };
}

/** The cell of what is wanted, or why there is none. */
function measured(
  { cells }: RunRecord,
  index: CellIndex,
  { system, dataset, operation }: Measurable,
  side: Side,
): MeasuredCell | string {
  const codec = nameIn(cells, system, side);
  if (codec === undefined) return unmeasured(system, side);
  const cell = index.cell(operation, dataset, codec);
  if (isMeasured(cell)) return cell;
  return refusalOf(cell, codec) ?? `${codec} was not measured: ${operation} of ${dataset}`;
}

function refusalOf(cell: Cell | undefined, codec: string): string | undefined {
  return cell?.reason === undefined ? undefined : `${codec}: ${cell.status}: ${cell.reason}`;
}

type Quantity = RatioTest["quantity"];

/** The ratio of two cells; undefined where it has no interval. */
const RATIOS: Readonly<Record<Quantity, (of: MeasuredCell, to: MeasuredCell) => Estimate | undefined>> = {
  bytes: (of, to) => exact(of.bytes / to.bytes),
  time: timeRatio,
  rate: (of, to) => scaled(timeRatio(to, of), of.bytes / to.bytes),
};

function exact(ratio: number): Estimate {
  return { middle: ratio, low: ratio, high: ratio };
}

/** Of the processes of each block that has both: they ran next to each other, or are one. */
function timeRatio(of: MeasuredCell, to: MeasuredCell): Estimate | undefined {
  const { ratio, ci95 } = pairedRatio(replicatesOf(of.nanos), replicatesOf(to.nanos));
  return ci95 === null ? undefined : { middle: ratio, low: ci95[0], high: ci95[1] };
}

function scaled(ratio: Estimate | undefined, factor: number): Estimate | undefined {
  if (ratio === undefined) return undefined;
  return { middle: ratio.middle * factor, low: ratio.low * factor, high: ratio.high * factor };
}

const FIGURES: Readonly<Record<Quantity, (cell: MeasuredCell) => ClaimFigure>> = {
  bytes: ({ codec, bytes }) => ({ of: codec, value: bytes, unit: "bytes" }),
  time: ({ codec, operation, nanos }) => ({
    of: `${operation} ${codec}`,
    value: nanos.median,
    unit: "nanoseconds",
  }),
  rate: ({ codec, operation, bytes, nanos }) => ({
    of: `${operation} ${codec}`,
    value: (bytes / nanos.median) * 1e9,
    unit: "bytes per second",
  }),
};
