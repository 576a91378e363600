/**
 * Text without line breaks, other control characters, and those that turn the direction of what follows: names and reasons come
 * from files and libraries, and none may move a terminal's cursor. Spaces that do not break stay.
 */
export function oneLine(text: string): string {
  return text.replace(/(?:[^\S\u00a0]|\p{Cc}|\p{Bidi_Control})+/gu, " ").trim();
}

/** An error in a line, without its stack: `TypeError: x is not a function`. Whatever was thrown has one. */
export function errorLine(error: unknown): string {
  try {
    if (typeof error === "string" && error !== "") return oneLine(error);
    const said = error instanceof Error ? `${error.name}: ${error.message}` : `${String(error)} was thrown`;
    return oneLine(said).replace(/:$/, "");
  } catch {
    return "something was thrown that has no text";
  }
}
