import { DecodeError } from "../../model/errors.ts";
import { PyGlobal } from "./types.ts";

/** What a value may hold when references to what it holds twice are followed each time. */
export interface ExtentLimits {
  /** Deepest nesting of containers. */
  readonly depth: number;
  /** Most values in all; any number by default. */
  readonly items?: number;
  /** Whether a container may contain itself, which then does not count; true by default. */
  readonly cycles?: boolean;
}

/** What a container holds in all, itself included. */
interface Extent {
  readonly items: number;
  /** Levels of nesting, itself included. */
  readonly levels: number;
}

const LEAF: Extent = { items: 1, levels: 0 };

/**
 * Checks how much an unpickled value is for a reader that follows every reference: a list of two references to a list
 * of two references and so on is a few bytes, and endless. Throws DecodeError where it is over a limit. Takes time in
 * proportion to what is there once.
 */
export function checkExtent(value: unknown, limits: ExtentLimits): void {
  new Walk(limits).extentOf(value, 0);
}

class Walk {
  readonly #depth: number;
  readonly #items: number;
  readonly #cycles: boolean;
  readonly #known = new Map<object, Extent>();

  constructor({ depth, items = Number.POSITIVE_INFINITY, cycles = true }: ExtentLimits) {
    this.#depth = depth;
    this.#items = items;
    this.#cycles = cycles;
  }

  extentOf(value: unknown, depth: number): Extent {
    if (typeof value !== "object" || value === null || value instanceof Uint8Array) return LEAF;
    if (value instanceof PyGlobal) throw value.refusal();
    const known = this.#known.get(value);
    if (known !== undefined) {
      if (known === LEAF && !this.#cycles) this.#fail("a container contains itself", "unsupported");
      if (depth + known.levels > this.#depth) this.#tooDeep();
      return known;
    }
    if (depth === this.#depth) this.#tooDeep();
    this.#known.set(value, LEAF);
    const extent = this.#container(value, depth + 1);
    this.#known.set(value, extent);
    return extent;
  }

  #container(value: object, depth: number): Extent {
    let items = 1;
    let levels = 0;
    const add = (item: unknown): void => {
      const extent = this.extentOf(item, depth);
      items += extent.items;
      if (extent.levels > levels) levels = extent.levels;
      if (items > this.#items) this.#fail(`more than ${this.#items} values`, "limit");
    };
    if (Array.isArray(value) || value instanceof Set) for (const item of value) add(item);
    else if (value instanceof Map) {
      for (const [key, item] of value) {
        add(key);
        add(item);
      }
    } else for (const key of Object.keys(value)) add((value as Record<string, unknown>)[key]);
    return { items, levels: levels + 1 };
  }

  #tooDeep(): never {
    this.#fail(`nested deeper than ${this.#depth} levels`, "limit");
  }

  #fail(problem: string, code: "limit" | "unsupported"): never {
    throw new DecodeError("python-pickle", problem, { code });
  }
}
