/**
 * Cells of runs that were never made, whose true differences are known. Processes differ as they do on a machine: by a
 * deviation of each cell's own, by heavy tails, or by the code that V8 happens to land in.
 */

/** Batches of a process, and by how much they differ within it. */
const [BATCHES, WITHIN] = [5, 0.01];

/** How far the processes of a block are off together. */
const DRIFT = 0.03;

/** How processes of a cell differ: each makes, of a deviation, the function that draws one process's logarithm. */
export const KINDS = {
  /** Normal, of one deviation. */
  alike: (deviation, draw) => () => deviation * draw.normal(),
  /** Normal; nine of ten cells have deviations between 0.44 and 2.3 times the middle one. */
  mixed: (deviation, draw) => {
    const own = deviation * Math.exp(0.5 * draw.normal());
    return () => own * draw.normal();
  },
  /** As mixed, and t with 3 degrees of freedom. */
  heavy: (deviation, draw) => {
    const own = deviation * Math.exp(0.5 * draw.normal());
    return () => (own * draw.heavy()) / Math.sqrt(3);
  },
  /** As mixed, and half of the tables have two levels besides, in which all of their codecs are as often. */
  modes: (deviation, draw, { levels, slower }) => inLevels(deviation, draw, levels, slower),
  /** As mixed, and half of the cells have two levels of their own besides, each in half of its processes. */
  lottery: (deviation, draw) => inLevels(deviation, draw, levelsOf(draw), 0.5),
};

/** Half of the time 0, else from 3 to 25 % apart: as instructions per call of half of the codecs were seen to be. */
function levelsOf(draw) {
  const [least, most] = [Math.log1p(0.03), Math.log1p(0.25)];
  return draw.uniform() < 0.5 ? 0 : least * (most / least) ** draw.uniform();
}

function inLevels(deviation, draw, levels, slower) {
  const within = KINDS.mixed((2 / 3) * deviation, draw);
  return () => within() + (draw.uniform() < slower ? levels : 0) - slower * levels;
}

/** What is drawn from: a source of numbers from 0 to 1. */
export function drawsFrom(uniform) {
  const normal = () => Math.sqrt(-2 * Math.log(1 - uniform())) * Math.cos(2 * Math.PI * uniform());
  const heavy = () => normal() / Math.sqrt((normal() ** 2 + normal() ** 2 + normal() ** 2) / 3);
  return { uniform, normal, heavy };
}

/**
 * The cells of a run: in each table the baseline `json`, its twins, and codecs that take as long, but for those of
 * `factors`, by their name.
 */
export function simulatedCells(draw, { blocks, tables, codecs, twins, kind, deviation, factors = {} }) {
  const names = ["json", ...Array.from({ length: codecs }, (_, i) => `codec-${i}`)];
  return Array.from({ length: tables }, (_, table) => {
    const shared = { levels: levelsOf(draw), slower: 0.2 + 0.6 * draw.uniform() };
    const drift = Array.from({ length: blocks }, () => DRIFT * draw.normal());
    return names.flatMap((codec) => {
      const log = KINDS[kind](deviation, draw, shared);
      const measured = (name, more = {}) => {
        const times = drift.map((shift) => 1000 * (factors[codec] ?? 1) * Math.exp(shift + log()));
        return { ...cellOf(`operation-${table}`, name, nanosOf(draw, times)), ...more };
      };
      const again = codec === "json" ? Array.from({ length: twins }, (_, i) => `json (A/A ${i + 1})`) : [];
      return [measured(codec), ...again.map((name) => measured(name, { twinOf: "json" }))];
    });
  }).flat();
}

function cellOf(operation, codec, nanos) {
  const library = { format: "any", library: "any", version: "1.0.0" };
  return { operation, dataset: "any", codec, ...library, status: "measured", bytes: 1, nanos };
}

function nanosOf(draw, times) {
  const sorted = times.toSorted((a, b) => a - b);
  const each = (value) => times.map(() => value);
  return {
    median: (sorted[(times.length - 1) >> 1] + sorted[times.length >> 1]) / 2,
    ci95: null,
    mad: 0,
    p99: sorted.at(-1),
    min: sorted[0],
    processes: times,
    blocks: times.map((_, block) => block),
    outliers: [],
    warmUp: each("steady"),
    loops: each(0),
    batchCalls: each(1),
    batches: times.map((time) =>
      Array.from({ length: BATCHES }, () => time * Math.exp(WITHIN * draw.normal())),
    ),
  };
}
