// Which differences does a run find, and how often does it find some where there are none? Runs are simulated: three
// operations of eleven codecs, whose processes differ by 4.5 %. The first goal is the difference found four times in five.
//
//   node benchmarks/power.js [RUNS]
import { withStandings } from "../dist/analysis/standings.js";
import { seededRandom } from "../dist/model/random.js";
import { drawsFrom, simulatedCells } from "./support/simulated-run.js";
import { verdict } from "./support/verdict.js";

const RUNS = Number(process.argv[2] ?? 200);
const OPTIONS = { baseline: "json", threshold: 0.01 };
const FULL = { tables: 3, codecs: 10, twins: 2, deviation: 0.045 };
const draw = drawsFrom(seededRandom(20_261_122));

const isFound = ({ standing, twinOf }) =>
  twinOf === undefined && (standing.verdict === "faster" || standing.verdict === "slower");

/** The share of runs in which the cells of one codec that is slower by this share are found. */
function found(blocks, share) {
  const factors = { "codec-0": 1 + share };
  let count = 0;
  const runs = Math.ceil(RUNS / 3);
  for (let i = 0; i < runs; i++) {
    const { cells } = withStandings(
      simulatedCells(draw, { ...FULL, blocks, kind: "alike", factors }),
      OPTIONS,
    );
    count += cells.filter((cell) => cell.codec === "codec-0" && isFound(cell)).length;
  }
  return count / runs / FULL.tables;
}

for (const [profile, blocks, shares, goal] of [
  ["quick", 3, [0.15, 0.2, 0.27, 0.34, 0.5], 0.27],
  ["standard", 8, [0.07, 0.09, 0.11, 0.14, 0.2], 0.11],
  ["thorough", 16, [0.05, 0.06, 0.072, 0.09, 0.12], 0.072],
]) {
  const shown = shares.map((share) => [share, found(blocks, share)]);
  console.log(
    `${profile}: ${shown.map(([share, rate]) => `${(share * 100).toFixed(1)} % in ${Math.round(rate * 100)}`).join(", ")} of 100`,
  );
  const rate = shown.find(([share]) => share === goal)[1];
  verdict(`${profile}: ${goal * 100} % slower is found in ${Math.round(rate * 100)} of 100`, rate, {
    least: 0.75,
  });
}

for (const kind of ["mixed", "heavy", "modes", "lottery"])
  for (const blocks of [3, 8, 16])
    for (const [tables, codecs] of [
      [1, 1],
      [1, 2],
      [3, 10],
    ]) {
      let wrong = 0;
      for (let i = 0; i < RUNS; i++) {
        const cells = simulatedCells(draw, { ...FULL, tables, codecs, blocks, kind });
        if (withStandings(cells, OPTIONS).cells.some(isFound)) wrong += 1;
      }
      const what = `${kind}, ${blocks} blocks, ${tables * codecs} comparisons: ${wrong} of ${RUNS} runs with a false difference`;
      // 5 %, and three standard errors of a rate over so many runs.
      verdict(what, wrong / RUNS, { most: 0.05 + 3 * Math.sqrt((0.05 * 0.95) / RUNS) });
    }
