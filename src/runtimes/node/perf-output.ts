/** What `perf stat -x` prints: a line per event, of fields with a separator between them. */
import type { Unavailable } from "../../model/errors.ts";

/** What stands between the fields: no locale has it in a number. */
export const SEPARATOR = ";";

/** The least share of the time in which an event was counted for its count to be one: perf makes up the rest. */
const LEAST_PERCENT = 99;

/** Lines of perf that say nothing of their own. */
const EMPTY = /^(?:$|#|Error:$|Events (?:enabled|disabled)$)/;

/**
 * The count of an event, or why there is none. Where a processor has cores of several kinds, perf counts an event on each
 * kind, and the count is their sum.
 * @param output all that perf printed, errors too
 * @param event as it was asked for: `instructions:u`
 */
export function eventCount(output: string, event: string): number | Unavailable {
  const lines = output
    .split("\n")
    .map((line) => line.split(SEPARATOR))
    .filter((fields) => fields[2] !== undefined && baseName(fields[2]) === baseName(event));
  if (lines.length === 0) return { unavailable: perfFault(output) };
  const counted = lines.filter(([value = ""]) => !value.startsWith("<"));
  if (counted.length === 0) {
    const said = lines.map(([value = ""]) => value.replace(/[<>]/g, "")).join(" and ");
    return { unavailable: `perf says that ${event} is ${said} here` };
  }
  let sum = 0;
  for (const [value = "", , , , percent = ""] of counted) {
    const count = numberOf(value);
    const share = numberOf(percent);
    if (Number.isNaN(count) || Number.isNaN(share)) {
      return { unavailable: `perf printed no count of ${event}: ${counted[0]?.join(SEPARATOR).trim()}` };
    }
    if (share < LEAST_PERCENT) {
      return {
        unavailable: `perf counted ${event} for ${share} % of the time: something else counts too, or the thread changed between kinds of cores`,
      };
    }
    sum += count;
  }
  return sum;
}

/** `instructions` of `instructions:u`, and of `cpu_core/instructions/u`. */
function baseName(event: string): string {
  return event.replace(/^[^/]*\/(?=.)/, "").replace(/[/:].*$/s, "");
}

/** Perf writes numbers as the locale has them. */
function numberOf(text: string): number {
  return text.trim() === "" ? Number.NaN : Number(text.trim().replace(",", "."));
}

/** Why perf counted nothing, by what it printed: in a line. */
export function perfFault(output: string): string {
  const lines = output
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => !EMPTY.test(line));
  const paranoid = lines
    .map((line) => /^perf_event_paranoid setting is (-?\d+)/.exec(line)?.[1])
    .find(Boolean);
  if (paranoid !== undefined) {
    return `perf is not allowed to count: /proc/sys/kernel/perf_event_paranoid is ${paranoid}, expected 2 or less`;
  }
  const [first = "it printed nothing"] = lines;
  return `perf says: ${first.replace(/^Error:\s*/, "").replace(/\.$/, "")}`;
}
