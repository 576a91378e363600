/** One damaged message after the other, given to a codec in this process: what it makes of each, how long that takes, and in what memory. */
import type { Binding, Encoded } from "../../model/codec.ts";
import type { Dataset } from "../../model/dataset.ts";
import { firstDifference, isRecord, walk } from "../../model/value.ts";
import { always, field, schemaOf } from "../../schema/declare.ts";
import { decodeTrusted, decodeUntrusted } from "../../schema/values/transcode.ts";
import { type AskedCodec, type FactCell, hexOf } from "../cell.ts";
import { loosened } from "../evolution/edit.ts";
import { decodeBare, failure } from "../failure.ts";
import { encodeCarried, shown } from "../judge.ts";
import { priceOf } from "../price.ts";
import { HOSTILE_CLASSES, type HostileClass, type Judgement, KEY, type Victim } from "./classes.ts";
import { type Usage, UsageMeter } from "./usage.ts";

/** What became of a case, the worst last. */
export const HOSTILE_OUTCOMES = [
  "same",
  "error",
  "stumble",
  "other",
  "slow",
  "memory",
  "hung",
  "died",
] as const;

/** See {@link HOSTILE_OUTCOMES}. */
export type HostileOutcome = (typeof HOSTILE_OUTCOMES)[number];

/** What became of some cases of a class. */
export interface Tried {
  readonly counts: Readonly<Partial<Record<HostileOutcome, number>>>;
  /** The smallest of the cases with the worst outcome. */
  readonly worst?: Case;
}

/** One case. */
export interface Case {
  readonly outcome: HostileOutcome;
  readonly got: string;
  /** Bytes of the input. */
  readonly length: number;
  /** The input in hex, as {@link hexOf} has it. */
  readonly hex: string;
}

/** Bytes of an input that are shown. */
export const MOST_BYTES = 1024;

/** What became of an input, without that. */
type Found = Pick<Case, "outcome" | "got">;

/**
 * Milliseconds and bytes of memory, with some for each byte of the input, beyond which a case is no harmless one. The slowest of the codecs
 * reads a sound message at 65 ns a byte.
 */
const SLOW = { ms: 50, msPerByte: 2e-4 };
const MEMORY = { bytes: 16 * 2 ** 20, perByte: 64 };

/** Times a limit beyond which one try says enough. */
const CLEARLY = 8;

/** How often a case is tried that takes more than a limit; the least counts. */
const MOST_TRIES = 5;

/** Cases that are slow, or take memory, after which no more of a class are tried. */
const MOST_SLOW = 10;

/** Texts of a value in which bad UTF-8 is put. */
const MOST_TEXTS = 3;

const nested = { name: "facts.Inner", fields: [field(1, "x", "double", always)] };

/** The data of the classes about keys: what a codec that needs no schema carries, whatever the user's is. */
const KEYS: Dataset = {
  name: "keys",
  schema: schemaOf("facts", [
    {
      name: "facts.Keys",
      fields: [
        field(1, KEY.nested, nested, always),
        field(2, KEY.one, "double", always),
        field(3, KEY.other, "double", always),
      ],
    },
    nested,
  ]),
  values: [{ [KEY.nested]: { x: 0.1 }, [KEY.one]: 0.2, [KEY.other]: 0.3 }],
  int64: "number",
};

interface Bound {
  readonly binding: Binding;
  readonly dataset: Dataset;
  readonly encoded: Encoded;
}

/** A codec that is bound to a user's data, and tried with damaged messages of it. */
export class Trials {
  readonly #codec: AskedCodec;
  readonly #own: Bound;
  readonly #keys: Bound | undefined;
  readonly #victim: Victim;
  readonly #usage = new UsageMeter();

  private constructor(codec: AskedCodec, own: Bound, keys: Bound | undefined) {
    this.#codec = codec;
    this.#own = own;
    this.#keys = keys;
    const message = Buffer.from(own.encoded as string);
    const met = new Set<string>();
    walk(own.dataset.values[0]!, (value) => {
      if (typeof value === "string" && value.length > 1 && message.includes(value)) met.add(value);
    });
    const texts = [...met].slice(0, MOST_TEXTS);
    this.#victim = {
      format: codec.format,
      schema: own.dataset.schema,
      message,
      texts: holdsUtf8(codec, own, message, texts) ? texts.map((text) => Buffer.from(text)) : [],
      ...(keys === undefined ? {} : { keyed: Buffer.from(keys.encoded as string) }),
    };
  }

  /** Throws where the codec does not carry the data. */
  static async of(codec: AskedCodec, { documents: _, ...dataset }: Dataset): Promise<Trials> {
    const bound = async (to: Dataset): Promise<Bound> => {
      const binding = await codec.bind(to);
      const encoded = encodeCarried(binding, to.values[0] ?? null);
      binding.verify(encoded);
      return { binding, dataset: to, encoded };
    };
    const own = await firstOf([
      () => bound({ ...dataset, schema: loosened(dataset.schema, "optional") }),
      () => bound({ ...dataset, schema: loosened(dataset.schema, "implicit") }),
      () => bound(dataset),
    ]);
    return new Trials(
      codec,
      own,
      codec.schemaless === true ? await bound(KEYS).catch(() => undefined) : undefined,
    );
  }

  /** The messages of a class, the same in every process. */
  cases(of: HostileClass): Uint8Array[] {
    return [...of.cases(this.#victim)];
  }

  /**
   * Tries cases of a class.
   * @param verified whether wirebench's verifier comes first, and the value is checked against the schema
   * @param report is told the index of each case before it is tried, and what became of those before
   * @param most bytes of the worst in hex
   */
  run(
    of: HostileClass,
    verified: boolean,
    from: number,
    to: number,
    report: (index: number, bytes: Uint8Array, before: Tried) => void,
    most = MOST_BYTES,
  ): Tried {
    const counts: Partial<Record<HostileOutcome, number>> = {};
    const tried: { counts: typeof counts; worst?: Case } = { counts };
    for (const [index, bytes] of this.cases(of).slice(0, to).entries()) {
      if (index < from) continue;
      report(index, bytes, tried);
      const found = this.#measured(bytes, of.judgement ?? "message", verified);
      counts[found.outcome] = (counts[found.outcome] ?? 0) + 1;
      const one = { ...found, length: bytes.length };
      if (tried.worst === undefined || isWorse(one, tried.worst))
        tried.worst = { ...one, hex: hexOf(bytes, bytes.length, most) };
      if ((counts.slow ?? 0) + (counts.memory ?? 0) >= MOST_SLOW) break;
    }
    return tried;
  }

  /** What it costs to verify a message of the user's before it is decoded: a share of the time of decoding. */
  price(): FactCell {
    const { binding, encoded } = this.#own;
    return priceOf(
      () => decodeTrusted(binding, encoded),
      () => {
        binding.verify(encoded);
        decodeTrusted(binding, encoded);
      },
    );
  }

  #measured(bytes: Uint8Array, judgement: Judgement, verified: boolean): Found {
    const most = SLOW.ms + SLOW.msPerByte * bytes.length;
    const mostMemory = MEMORY.bytes + MEMORY.perByte * bytes.length;
    let outcome: Found = { outcome: "same", got: "" };
    const tried = (isExact: boolean): Usage =>
      this.#usage.of(
        () => {
          outcome = this.#tried(bytes, judgement, verified);
        },
        most,
        isExact,
      );
    let { memory, millis } = tried(false);
    // Collected garbage, a busy machine and code that is compiled are not the codec's, and do not take so much.
    const isClear = (): boolean => memory > CLEARLY * mostMemory || millis > CLEARLY * most;
    const isOver = (): boolean => memory > mostMemory || millis > most;
    for (let tries = 1; tries < MOST_TRIES && isOver() && !isClear(); tries++) {
      // What a collection frees is given back meanwhile, and for certain once the next begins.
      globalThis.gc?.();
      globalThis.gc?.();
      const next = tried(true);
      memory = Math.min(memory, next.memory);
      millis = Math.min(millis, next.millis);
    }
    const after = outcome.got === "" ? "" : `: ${outcome.got}`;
    if (memory > mostMemory)
      return { ...outcome, outcome: "memory", got: `${Math.round(memory / 2 ** 20)} MB${after}` };
    if (millis > most) return { ...outcome, outcome: "slow", got: `${Math.round(millis)} ms${after}` };
    return outcome;
  }

  #tried(bytes: Uint8Array, judgement: Judgement, verified: boolean): Found {
    const { binding, dataset, encoded } =
      judgement === "twice" || judgement === "prototype" ? this.#keys! : this.#own;
    const input = typeof encoded === "string" ? Buffer.from(bytes).toString("utf8") : Buffer.from(bytes);
    let outcome: HostileOutcome = "same";
    let got = "";
    // Where an error of a verifier came up is nothing to anyone, and takes as long to find out as to verify.
    const frames = Error.stackTraceLimit;
    if (verified) Error.stackTraceLimit = 0;
    try {
      const value = verified
        ? decodeUntrusted(this.#codec.format, binding, dataset, input)
        : decodeBare(this.#codec, binding, input);
      got = judged(judgement, dataset, value) ?? "";
      if (got !== "") outcome = "other";
    } catch (error) {
      const { got: said = "", stumbles, outcome: found } = failure(error, "read");
      // Of another shape: the library took it, which is no fault where any value is.
      const taken = judgement === "any" ? "same" : "other";
      outcome = stumbles === true ? "stumble" : found === "other" ? taken : "error";
      got = outcome === "same" ? "" : said;
    } finally {
      Error.stackTraceLimit = frames;
    }
    for (const key of Object.keys(Object.prototype)) {
      delete (Object.prototype as Record<string, unknown>)[key];
      outcome = "other";
      got = `every object has ${key} now`;
    }
    return { outcome, got };
  }
}

/** A letter of two bytes. */
const LETTER = Buffer.from("é");

/**
 * Whether the texts of a message are UTF-8, told by whether a letter of two bytes is read as one. Others are code points, or
 * Latin-1, of which no bytes are bad; and what is a string already holds none.
 */
function holdsUtf8(
  codec: AskedCodec,
  { binding, encoded }: Bound,
  message: Uint8Array,
  texts: readonly string[],
): boolean {
  if (typeof encoded === "string") return false;
  const isReadOtherwise = (text: string): boolean => {
    const changed = Buffer.from(message);
    changed.set(LETTER, changed.indexOf(text));
    let found = false;
    try {
      walk(decodeBare(codec, binding, changed), (value) => {
        found ||= typeof value === "string" && value.startsWith(LETTER.toString("latin1"));
      });
    } catch {
      // An error is no other reading.
    }
    return found;
  };
  return !texts.some((text) => /^[\0-\x7f]{2}/.test(text) && isReadOtherwise(text));
}

/** The first that does not fail; the error of the last where all do. */
async function firstOf<Made>([first, ...rest]: readonly (() => Promise<Made>)[]): Promise<Made> {
  if (rest.length === 0) return await first!();
  return await first!().catch(() => firstOf(rest));
}

/** What is wrong with a value that bytes were taken for. */
function judged(judgement: Judgement, { values: [expected] }: Dataset, value: unknown): string | undefined {
  if (judgement === "any") return undefined;
  if (judgement === "message") return firstDifference(expected, value);
  if (judgement === "twice") return `taken for ${shown(value)}`;
  if (!isRecord(value)) return `taken for ${shown(value)}`;
  const { prototype } = Object;
  const above = Object.getPrototypeOf(value);
  if (above !== prototype && above !== null) return `its prototype is what the message says: ${shown(above)}`;
  return Object.hasOwn(value, "__proto__") ? undefined : `keys ${Object.keys(value).join(", ")}`;
}

/** Whether a case says more than another: its outcome is worse, or its input smaller. */
export function isWorse(a: Omit<Case, "hex">, b: Omit<Case, "hex">): boolean {
  const order = HOSTILE_OUTCOMES.indexOf(a.outcome) - HOSTILE_OUTCOMES.indexOf(b.outcome);
  return order > 0 || (order === 0 && a.length < b.length);
}

/** A class and whether it is verified, by the index of a row; undefined for the row of the price, which is the last. */
export function questionOf(
  row: number,
): { readonly of: HostileClass; readonly verified: boolean } | undefined {
  const of = HOSTILE_CLASSES[row >> 1];
  return of && { of, verified: row % 2 === 1 };
}
