import type { ClaimsRecord } from "../../model/records/claims.ts";
import { defineReport } from "../../model/report.ts";
import { oneLine } from "../escape.ts";
import { headline, placeText, SIDE_NAMES, tallyText, verdictTable } from "../sections/claims/verdicts.ts";
import { fittedText, textTable } from "../table.ts";

export default defineReport({
  of: "claims",
  summary: "the verdicts, as a terminal shows them",
  render: renderClaimsText,
});

/** The verdicts on published claims as a terminal shows them. */
export function renderClaimsText(record: ClaimsRecord, columns?: number): string {
  const sides = ["native", "typescript"] as const;
  const untested = record.claims.flatMap((claim) =>
    sides.flatMap((side) => {
      const result = headline(claim, side);
      if (result?.verdict !== "not testable") return [];
      return [`not testable: ${claim.id}, ${placeText(result)}: ${result.reason ?? ""}`];
    }),
  );
  const lines = [
    ...sides.map((side) => `${SIDE_NAMES[side]}: ${tallyText(record, side)}`),
    ...untested,
    ...record.missing.map((line) => `missing: ${line}`),
  ];
  const blocks = [textTable(verdictTable(record), columns), lines.map(oneLine).join("\n")];
  return fittedText(`${blocks.join("\n\n")}\n`, columns);
}
