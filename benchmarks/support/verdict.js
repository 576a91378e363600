/**
 * Prints a measurement and whether it is within its bounds. One that is not makes the benchmark exit with 1.
 * @param {string} what the measurement in words, with its unit
 * @param {number} value
 * @param {{ least?: number, most?: number }} bounds inclusive
 */
export function verdict(what, value, { least = Number.NEGATIVE_INFINITY, most = Number.POSITIVE_INFINITY }) {
  const within = value >= least && value <= most;
  if (!within) process.exitCode = 1;
  const wanted = [
    ...(Number.isFinite(least) ? [`at least ${least}`] : []),
    ...(Number.isFinite(most) ? [`at most ${most}`] : []),
  ].join(", ");
  console.log(`${within ? "ok      " : "MISSED  "}${what} (wanted: ${wanted})`);
}

/** The cell of a record that was measured. Throws where it was not, with its reason. */
export function measuredCell(record, operation, codec) {
  const cell = record.cells.find((one) => one.operation === operation && one.codec === codec);
  if (cell?.nanos === undefined) throw new Error(`${operation} ${codec}: ${cell?.reason ?? "not measured"}`);
  return cell;
}
