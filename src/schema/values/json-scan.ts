/** What can be seen of JSON text without parsing it again. The text is JSON: JSON.parse has taken it. */

/** The offset after the string that begins at an offset; the text's end where it does not end. */
export function endOfString(text: string, start: number): number {
  for (let quote = text.indexOf('"', start + 1); quote >= 0; quote = text.indexOf('"', quote + 1)) {
    let slash = quote - 1;
    while (text[slash] === "\\") slash -= 1;
    if ((quote - slash) % 2 === 1) return quote + 1;
  }
  return text.length;
}

const SPACE = /\s*/y;

/** How many keys stand in all objects of a text. */
export function keysInText(text: string): number {
  let count = 0;
  for (let start = text.indexOf('"'); start >= 0; ) {
    let at = endOfString(text, start);
    if (text[at] !== ":") {
      SPACE.lastIndex = at;
      SPACE.test(text);
      at = SPACE.lastIndex;
    }
    if (text[at] === ":") count += 1;
    start = text.indexOf('"', at);
  }
  return count;
}

/** How many keys all objects of a parsed text have. */
export function keysIn(value: unknown): number {
  let count = 0;
  const open = [value];
  while (open.length > 0) {
    const one = open.pop();
    if (Array.isArray(one)) {
      for (const item of one) if (typeof item === "object") open.push(item);
    } else if (typeof one === "object" && one !== null) {
      for (const key of Object.keys(one)) {
        count += 1;
        const item = (one as Record<string, unknown>)[key];
        if (typeof item === "object") open.push(item);
      }
    }
  }
  return count;
}
