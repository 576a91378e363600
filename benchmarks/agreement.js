// Do two runs agree? The default matrix is measured twice, one run after the other, and each cell's 95 % interval is
// held against that of the other run. What `wirebench compare` says of the two is beside it: nothing has changed, so that
// every difference it finds is a false one.
//
//   node benchmarks/agreement.js [quick|standard|thorough]
import { compareRecords, run } from "wirebench";
import { verdict } from "./support/verdict.js";

const profile = process.argv[2] ?? "standard";
const first = await run({ profile });
const second = await run({ profile });

const matches = first.cells.flatMap((cell) => {
  const other = second.cells.find(
    ({ codec, operation }) => codec === cell.codec && operation === cell.operation,
  );
  return other === undefined ? [] : [{ cell, other }];
});
const pairs = matches.flatMap(({ cell, other }) =>
  cell.nanos?.ci95 && other.nanos?.ci95 ? [{ cell, a: cell.nanos, b: other.nanos }] : [],
);
const apart = pairs.filter(({ a, b }) => a.ci95[1] < b.ci95[0] || b.ci95[1] < a.ci95[0]);
for (const { cell, a, b } of apart) {
  console.log(
    `  apart: ${cell.operation} ${cell.codec}: ${a.median} [${a.ci95}] and ${b.median} [${b.ci95}] ns`,
  );
}
const inside = pairs.filter(({ a, b }) => within(a.median, b.ci95) && within(b.median, a.ci95)).length;
console.log(`        each median within the other's interval: ${inside} of ${pairs.length}`);
const spreads = pairs.map(({ a }) => (a.ci95[1] - a.ci95[0]) / 2 / a.median).sort((x, y) => x - y);
console.log(
  `        half of an interval is ${percent(spreads[Math.floor(spreads.length / 2)])} in the middle`,
);
const agreeing = (pairs.length - apart.length) / pairs.length;
verdict(`intervals that overlap: ${pairs.length - apart.length} of ${pairs.length}`, agreeing, {
  least: 0.95,
});

// What the whole machine does between two runs is in both sides of a ratio.
const ratios = matches.flatMap(({ cell, other }) => {
  const [a, b] = [cell.standing?.ci95, other.standing?.ci95];
  return cell.codec === first.options.baseline || !a || !b ? [] : [{ a, b }];
});
const alike = ratios.filter(({ a, b }) => a[0] <= b[1] && b[0] <= a[1]).length;
verdict(
  `intervals of ratios to the baseline that overlap: ${alike} of ${ratios.length}`,
  alike / ratios.length,
  { least: 0.95 },
);

const { cells } = compareRecords(first, second);
const different = cells.filter((cell) => cell.verdict === "faster" || cell.verdict === "slower");
verdict(
  `cells that compare calls different: ${different.length} of ${cells.length}`,
  different.length / cells.length,
  {
    most: 0.05,
  },
);

function within(value, [low, high]) {
  return value >= low && value <= high;
}

function percent(share) {
  return `${(share * 100).toFixed(1)} %`;
}
