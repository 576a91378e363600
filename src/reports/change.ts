/** Changes as people read them: a share in per cent. */

/** `+5.2 %`, `-31 %`, `×12` where it is many times; nothing where it is not known. */
export function formatChange(ratio: number | null): string {
  if (ratio === null) return "";
  if (ratio >= 10) return `×${ratio >= 100 ? Math.round(ratio).toLocaleString("en-US") : ratio.toFixed(1)}`;
  const text = percent(ratio - 1);
  return ratio > 1 && !text.startsWith("0.0") ? `+${text}` : text;
}

/** `+3.1 % … +7.4 %`: an interval of changes; nothing where it is not known. */
export function formatChanges(interval: readonly [number, number] | null): string {
  return interval === null ? "" : `${formatChange(interval[0])} … ${formatChange(interval[1])}`;
}

function percent(share: number): string {
  const value = share * 100;
  const text = value.toFixed(Math.abs(value) < 9.95 ? 1 : 0);
  return `${text === "-0.0" ? "0.0" : text} %`;
}
