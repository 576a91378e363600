/**
 * JSON bytes with spaces in place of each member of an object whose key comes again after it: the last one counts, as for
 * JSON.parse. Every offset stays. What is not JSON stays as it is.
 */
export function withoutDuplicates(given: Buffer): Buffer {
  const bytes = Buffer.from(given);
  const open: (Members | undefined)[] = [];
  for (let at = 0; at < bytes.length; at++) {
    const members = open.at(-1);
    switch (bytes[at]) {
      case QUOTE: {
        const end = endOfString(bytes, at);
        if (members?.isKeyNext === true) members.meet(bytes, at, end);
        at = end;
        break;
      }
      case SLASH:
        at = endOfComment(bytes, at);
        break;
      case COMMA:
        if (members !== undefined) members.isKeyNext = true;
        break;
      case BRACE:
        open.push(new Members());
        break;
      case BRACKET:
        open.push(undefined);
        break;
      case CLOSING_BRACE:
      case CLOSING_BRACKET:
        open.pop();
        members?.blank(bytes);
    }
  }
  return bytes;
}

/** The members of an object that is open. */
class Members {
  isKeyNext = true;
  /** Where each begins, and the last member of each key. */
  readonly #starts: number[] = [];
  readonly #last = new Map<string, number>();
  readonly #hidden: number[] = [];

  meet(bytes: Buffer, start: number, end: number): void {
    this.isKeyNext = false;
    const text = bytes.toString("utf8", start, end + 1);
    const key = text.includes("\\") ? unescaped(text) : text;
    const earlier = this.#last.get(key);
    if (earlier !== undefined) this.#hidden.push(earlier);
    this.#last.set(key, this.#starts.push(start) - 1);
  }

  /** A member that is hidden has another after it, up to which it goes with its comma. */
  blank(bytes: Buffer): void {
    for (const index of this.#hidden) bytes.fill(SPACE, this.#starts[index], this.#starts[index + 1]);
  }
}

function unescaped(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text));
  } catch {
    return text;
  }
}

function endOfString(bytes: Buffer, start: number): number {
  for (let at = start + 1; at < bytes.length; at++) {
    if (bytes[at] === BACKSLASH) at += 1;
    else if (bytes[at] === QUOTE) return at;
  }
  return bytes.length;
}

function endOfComment(bytes: Buffer, start: number): number {
  const isLine = bytes[start + 1] === SLASH;
  const end = isLine ? bytes.indexOf("\n", start) : bytes.indexOf("*/", start + 2) + 1;
  return end <= start ? bytes.length : end;
}

const SPACE = 0x20;
const QUOTE = 0x22;
const COMMA = 0x2c;
const SLASH = 0x2f;
const BRACKET = 0x5b;
const BACKSLASH = 0x5c;
const CLOSING_BRACKET = 0x5d;
const BRACE = 0x7b;
const CLOSING_BRACE = 0x7d;
