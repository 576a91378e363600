import type { ClaimRecord, ClaimsRecord } from "../../model/records/claims.ts";
import { defineReport } from "../../model/report.ts";
import { bulletList, oneLine } from "../escape.ts";
import { type Picture, pictureLink } from "../picture.ts";
import { originLines } from "../provenance.ts";
import { besideSections } from "../sections/claims/beside.ts";
import { partTable, placeText, tallyText, verdictTable } from "../sections/claims/verdicts.ts";
import { markdownTable } from "../table.ts";

export default defineReport({
  of: "claims",
  summary: "the whole report, as report.md has it",
  render: (record) => renderClaimsMarkdown(record),
});

/** The verdicts on published claims as Markdown, with a link to their chart. */
export function renderClaimsMarkdown(record: ClaimsRecord, pictures: readonly Picture[] = []): string {
  const { missing, options } = record;
  const beside = besideSections(record);
  const parts = [
    "# wirebench report: published claims",
    ...bulletList([...originLines(record), `Profile: ${options.profile}; seed: ${options.seed}`]),
    markdownTable(verdictTable(record)),
    ...bulletList([
      `Originals: ${tallyText(record, "native")}`,
      `TypeScript: ${tallyText(record, "typescript")}`,
      ...missing.map((line) => oneLine(`Missing: ${line}`)),
    ]),
    ...pictures.map(pictureLink),
    "## Each claim",
    ...record.claims.map(claimSection),
    ...(beside.length === 0 ? [] : ["## Published figures beside ours", BESIDE, ...beside]),
    READING,
  ];
  return `${parts.join("\n\n")}\n`;
}

function claimSection(claim: ClaimRecord): string {
  const { id, statement, notes, results } = claim;
  const verdicts = results.map((result) => {
    const { verdict, reason, subjects } = result;
    const with_ = subjects.length === 0 ? "" : ` (${subjects.join(", ")})`;
    return `${placeText(result)}${with_}: **${verdict}**${reason === undefined ? "" : `: ${reason}`}`;
  });
  const table = partTable(claim);
  return [
    `### ${oneLine(`${id}: ${statement}`)}`,
    ...bulletList([...verdicts, ...notes]),
    ...(table.rows.length === 0 ? [] : [markdownTable(table)]),
  ].join("\n\n");
}

const BESIDE =
  "The published figures are of other machines and years. What can be compared is the order and the ratios, not the times.";

const READING = `## How to read this

- A ratio below 1 is less time, fewer bytes or a lower rate. Intervals are of 95 %; a ratio of sizes is exact.
- **holds**: the difference has the published direction, and for certain at least half of its size as logarithms.
- **holds weaker**: the direction is certain, so much of the size is not.
- **reversed**: the other direction is certain. **does not hold**: there is no such difference, or only a part of the claim is met.
- **impossible**: no machine can have the published figure.
- **not testable**: something is missing, or chance may have made the difference either way.
- Each interval is one of its own: of twenty, one may miss the truth.
- Times of calls are medians over processes, and ratios those of processes in the same blocks.
- Between processes, every fourth message counts as independent, and no interval is narrower than ±10 %: another process of the same
  program may differ by that much. The first messages of processes are compared by ranks.`;
