import type { CompareOptions } from "../../analysis/compare/compare.ts";
import { defined } from "../../model/defined.ts";
import type { Comparison } from "../../model/records/comparison.ts";
import { renderJson } from "../../reports/any/json.ts";
import { renderComparisonText } from "../../reports/comparison/text.ts";
import { oneLine } from "../../reports/escape.ts";
import { EXIT } from "../exit-code.ts";
import type { Io } from "../io.ts";

/** How a comparison is judged and shown. */
export interface AnswerFlags {
  readonly threshold?: number;
  readonly failIfSlower?: number;
  readonly json?: boolean;
}

/** What a comparison is to look at, as flags have it. */
export function optionsOf({ threshold, failIfSlower }: AnswerFlags): CompareOptions {
  return defined({ threshold, failIfSlower });
}

/** Prints a comparison, and its warnings on standard error too. Gives the exit code that it deserves. */
export function answer(comparison: Comparison, { json }: AnswerFlags, io: Io): number {
  io.print(json === true ? renderJson(comparison) : renderComparisonText(comparison));
  for (const warning of comparison.warnings) io.tell(`warning: ${oneLine(warning)}\n`);
  const { slower = [], failed = [] } = comparison.failIfSlower ?? {};
  return slower.length + failed.length > 0 ? EXIT.failed : EXIT.ok;
}
