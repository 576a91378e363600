import type { IpcRecord } from "../../../model/records/ipc.ts";
import { oneLine } from "../../escape.ts";
import { markdownTable } from "../../table.ts";
import { FEWEST, NOISE_RULES } from "./claims/noise.ts";
import { SINGLE_POINT_RULE } from "./claims/single-point.ts";
import { STABILITY_RULE } from "./claims/stability.ts";
import type { Verdict } from "./claims/verdict.ts";
import { isComparable, verdictsOf } from "./claims/verdicts.ts";
import { fanOutBeside, latencyBeside } from "./published-tables.ts";

/**
 * The published figures beside those of a record, and a verdict on each claim, as Markdown. Undefined where the record
 * has neither of the codecs on a dataset of the published sizes.
 */
export function publishedSection(record: IpcRecord): string | undefined {
  if (!isComparable(record)) return undefined;
  return [
    "## Published figures beside ours",
    "The published figures are of C++ programs, ours of JavaScript on the machine above. What can be compared is the order and the ratios, not the times.",
    markdownTable(latencyBeside(record)),
    "The published drops are of 100 messages, at a pace and with queues that were not said; each of ours is per talker and listener.",
    markdownTable(fanOutBeside(record)),
    "### Whether the claims hold",
    claimsList(verdictsOf(record)),
    `A claim holds, or does not, where the numbers leave no doubt. It cannot be told where one of them is missing, where fewer than ${FEWEST} messages tell it, or where chance may have made the difference:`,
    [...NOISE_RULES, STABILITY_RULE, SINGLE_POINT_RULE].map((rule) => `- ${rule}`).join("\n"),
  ].join("\n\n");
}

function claimsList(verdicts: readonly Verdict[]): string {
  const statements = [...new Set(verdicts.map(({ statement }) => statement))];
  return statements
    .map((statement) => {
      const own = verdicts.filter((verdict) => verdict.statement === statement);
      return [`- ${oneLine(statement)}`, ...own.map(verdictLine)].join("\n");
    })
    .join("\n");
}

function verdictLine({ dataset, outcome, because, stage }: Verdict): string {
  return `  - ${oneLine(`${dataset}: **${outcome}**: ${because}.${stage === undefined ? "" : ` Stages: ${stage}.`}`)}`;
}
