/** What follows "unknown name": the nearest known ones, or all of them when there are few. */
export function nearNames(wanted: string, known: readonly string[]): string {
  const near = (wanted === "" ? [] : known)
    // A name from outside may be of any length, and the distance takes time for each pair of characters.
    .filter((name) => Math.abs(name.length - wanted.length) <= reach(name) || name.includes(wanted))
    .map((name) => ({ name, distance: editDistance(wanted.toLowerCase(), name.toLowerCase()) }))
    .filter(({ name, distance }) => distance <= reach(name) || name.includes(wanted))
    .sort((a, b) => a.distance - b.distance)
    .slice(0, 3)
    .map(({ name }) => name);
  if (near.length > 0) return `, did you mean ${near.join(" or ")}?`;
  if (known.length === 0) return "";
  const shown = known.slice(0, 12).join(", ");
  return `, expected one of ${shown}${known.length > 12 ? ", …" : ""}`;
}

/** How many changes away a name is still near. */
function reach(name: string): number {
  return Math.max(2, name.length / 3);
}

/** Least number of single-character changes from one word to the other (Levenshtein). */
function editDistance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, i) => i);
  for (let i = 1; i <= from.length; i++) {
    const next = [i];
    for (let j = 1; j <= to.length; j++) {
      const substituted = row[j - 1]! + (from[i - 1] === to[j - 1] ? 0 : 1);
      next.push(Math.min(substituted, row[j]! + 1, next[j - 1]! + 1));
    }
    row = next;
  }
  return row[to.length]!;
}
