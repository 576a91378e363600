import type { ClaimsRecord } from "../../model/records/claims.ts";
import { defineReport } from "../../model/report.ts";
import { oneLine } from "../escape.ts";
import { originInShort } from "../provenance.ts";
import { verdictTable } from "../sections/claims/verdicts.ts";
import { markdownTable } from "../table.ts";

export default defineReport({
  of: "claims",
  summary: "the verdicts with the command, the machine and the date, to be put into another document",
  render: renderClaimsSummary,
});

/** The verdicts on published claims, with the command, the machine and the date. */
export function renderClaimsSummary(record: ClaimsRecord): string {
  return `${markdownTable(verdictTable(record))}\n\n${oneLine(originInShort(record))}.\n`;
}
