/** What a terminal shows while a run goes on, as a terminal understands it. */
import { describe, expect, it } from "vitest";
import type { Io } from "../../src/cli/io.ts";
import { LiveTable } from "../../src/cli/live-table.ts";
import { runOf } from "../analysis/answer/choices.ts";

const ESCAPE = "\u001b\\[";
const UNDERSTOOD = new RegExp(
  `\r|\n|${ESCAPE}(\\d+)A|${ESCAPE}J|${ESCAPE}K|(?:${ESCAPE}\\d+m|[^\u001b\r\n])+`,
  "g",
);

/** How often a text has a colour, with what is in it. */
function coloured(text: string, colour: string, what: string): number {
  return text.match(new RegExp(`${ESCAPE}${colour}m${what}${ESCAPE}39m`, "g"))?.length ?? 0;
}

/** A terminal that knows what is used here: lines, the cursor up, and clearing. Colours are kept as they are. */
class Terminal {
  readonly #size: { readonly columns: number; readonly rows: number } | undefined;
  readonly #isColoured: boolean;
  lines: string[] = [""];
  #row = 0;
  all = "";

  constructor(size?: { readonly columns: number; readonly rows: number }, isColoured = false) {
    this.#size = size;
    this.#isColoured = isColoured;
  }

  get io(): Io {
    return {
      print: () => {},
      tell: (text) => this.#tell(text),
      isShown: () => this.#size !== undefined,
      columns: () => this.#size?.columns,
      size: () => this.#size,
      isColoured: () => this.#isColoured,
    };
  }

  #tell(text: string): void {
    this.all += text;
    let at = 0;
    for (const [part, up] of text.matchAll(UNDERSTOOD)) {
      if (part === "\r") at = 0;
      else if (part === "\n") {
        this.#row += 1;
        at = 0;
        this.lines[this.#row] ??= "";
      } else if (up !== undefined) {
        this.#row -= Number(up);
        expect(this.#row, "the cursor leaves the screen").toBeGreaterThanOrEqual(0);
      } else if (part === "\u001b[J") this.lines = [...this.lines.slice(0, this.#row), ""];
      else if (part === "\u001b[K") this.lines[this.#row] = "";
      else {
        expect(at).toBe(0);
        this.lines[this.#row] = part;
        at = part.length;
      }
    }
  }
}

const SIZE = { columns: 80, rows: 24 };
const json = { bytes: 2600, encode: 10_000, decode: 10_000 };
const raw = { bytes: 1780, encode: 1000, decode: 1000 };
const now = {
  done: 3,
  total: 40,
  current: { codec: "json", dataset: "tellist" },
  elapsedMs: 2000,
  remainingMs: 3000,
};

describe("a terminal", () => {
  it("shows the codecs above the progress, in the place of what was there before", () => {
    const terminal = new Terminal(SIZE);
    const table = new LiveTable(terminal.io);
    table.progress(now);
    table.show(runOf({ json }));
    expect(terminal.lines.map((line) => line.split(" ")[0])).toEqual(["tellist", "json", ""]);
    expect(terminal.lines[2]).toBe("  7 %  3/40 processes, 2 s, 3 s left  tellist json");
    table.show(runOf({ json, "raw-struct": raw }));
    table.progress({ ...now, done: 4 });
    expect(terminal.lines.map((line) => line.split(" ")[0])).toEqual(["tellist", "raw-struct", "json", ""]);
    expect(terminal.lines[3]).toContain("4/40 processes");
    table.show(runOf({ json }));
    expect(terminal.lines).toHaveLength(3);
    table.clear();
    expect(terminal.lines).toEqual([""]);
  });

  it("has colours for what is faster or slower alone, where they are wanted", () => {
    const of = (isColoured: boolean): string => {
      const terminal = new Terminal(SIZE, isColoured);
      new LiveTable(terminal.io).show(
        runOf({ json, "raw-struct": raw, v8: { bytes: 3, encode: 90_000, decode: 10_000 } }),
      );
      return terminal.all;
    };
    expect(coloured(of(true), "32", " +0\\.10")).toBe(2);
    expect(coloured(of(true), "31", " +9\\.\\d\\d")).toBe(1);
    expect(coloured(of(true), "\\d+", "[^\u001b]+")).toBe(3);
    expect(of(false)).not.toMatch(new RegExp(`${ESCAPE}\\d*m`));
  });

  it("of few rows or columns shows the progress alone", () => {
    for (const size of [
      { columns: 80, rows: 3 },
      { columns: 40, rows: 24 },
    ]) {
      const terminal = new Terminal(size);
      const table = new LiveTable(terminal.io);
      table.progress(now);
      table.show(runOf({ json, "raw-struct": raw }));
      expect(terminal.lines).toHaveLength(1);
      expect(terminal.lines[0]).toContain("3/40");
    }
  });

  it("is none: lines of progress, and no table", () => {
    const terminal = new Terminal();
    const table = new LiveTable(terminal.io);
    table.progress(now);
    table.show(runOf({ json }));
    table.clear();
    expect(terminal.all).toBe("  7 %  3/40 processes, 2 s, 3 s left  tellist json\n");
  });
});
