import { endOfString } from "./json-scan.ts";

/**
 * JSON text with spaces in place of comments and of a comma before a closing bracket, as editors' settings have them: every
 * offset and line stays. A comment without its end stays too.
 */
export function withoutComments(text: string): string {
  const ranges: { from: number; to: number }[] = [];
  let comma: number | undefined;
  let last = "";
  const start = /["/,\]}]|[^\s"/,\]}]+/g;
  for (let found = start.exec(text); found !== null; found = start.exec(text)) {
    const { index } = found;
    const [piece] = found;
    const comment = piece === "/" ? endOfComment(text, index) : undefined;
    if (comment !== undefined) {
      ranges.push({ from: index, to: comment });
      start.lastIndex = comment;
      continue;
    }
    if (comma !== undefined && (piece === "]" || piece === "}")) ranges.push({ from: comma, to: comma + 1 });
    comma = piece === "," && !/^[[{,]?$/.test(last) ? index : undefined;
    last = piece.at(-1)!;
    if (piece === '"') start.lastIndex = endOfString(text, index);
  }
  return blanked(
    text,
    ranges.sort((a, b) => a.from - b.from),
  );
}

function endOfComment(text: string, from: number): number | undefined {
  if (text.startsWith("//", from)) return lineEnd(text, from);
  if (!text.startsWith("/*", from)) return undefined;
  const end = text.indexOf("*/", from + 2);
  return end < 0 ? undefined : end + 2;
}

function lineEnd(text: string, from: number): number {
  const end = text.indexOf("\n", from);
  return end < 0 ? text.length : end;
}

function blanked(text: string, ranges: readonly { from: number; to: number }[]): string {
  const pieces: string[] = [];
  let done = 0;
  for (const { from, to } of ranges) {
    pieces.push(text.slice(done, from), text.slice(from, to).replace(/[^\r\n]/g, " "));
    done = to;
  }
  return pieces.join("") + text.slice(done);
}
