/** The answer of a run in plain words. */

import { heldProcesses } from "../../../analysis/held-processes.ts";
import type { Answer } from "../../../model/records/answer.ts";
import type { DatasetRecord, RunRecord } from "../../../model/records/run.ts";
import { formatShare } from "../../../model/share.ts";
import { hasTrait, isForService, type Trait } from "../../../model/traits.ts";
import { oneLine } from "../../escape.ts";
import { counted, countedMeanBytes, formatBandwidth, formatNanos } from "../../units.ts";

/** What is asked, and what the run says to it. */
export interface Sentence {
  readonly question: string;
  readonly text: string;
}

/** Columns of a terminal that everybody has: longer lines are harder to read. */
const MOST_COLUMNS = 80;

/** Of fewer, words would be cut. */
const LEAST_COLUMNS = 50;

/** The answer of each dataset as lines for a terminal; empty where a record has none. */
export function answerText(record: RunRecord, terminal = MOST_COLUMNS): string[] {
  const columns = Math.min(Math.max(terminal, LEAST_COLUMNS), MOST_COLUMNS);
  return record.datasets.flatMap((about) => {
    const sentences = sentencesOf(record, about, { inShort: true });
    if (sentences.length === 0) return [];
    const width = Math.max(...sentences.map(({ question }) => question.length)) + 2;
    const lines = sentences.flatMap(({ question, text }) =>
      wrapped(text, columns - 2 - width).map(
        (line, i) => `  ${(i === 0 ? question : "").padEnd(width)}${line}`,
      ),
    );
    return [[...wrapped(`${subjectOf(record, about)}:`, columns), ...lines].join("\n")];
  });
}

/** The same as blocks of Markdown, with all goals. */
export function answerMarkdown(record: RunRecord): string[] {
  return answerSentences(record).flatMap(({ subject, sentences }) => [
    `${subject}:`,
    sentences.map(({ question, text }) => oneLine(`- **${question}**: ${text}`)).join("\n"),
  ]);
}

/** The same as sentences: one entry for each dataset that has an answer. */
export function answerSentences(
  record: RunRecord,
): { readonly subject: string; readonly sentences: readonly Sentence[] }[] {
  return record.datasets.flatMap((about) => {
    const sentences = sentencesOf(record, about, { inShort: false });
    return sentences.length === 0 ? [] : [{ subject: subjectOf(record, about), sentences }];
  });
}

/** `For tellist (37 records, 2,617 bytes as JSON)`. */
function subjectOf({ cells }: RunRecord, { name, size, values = 1 }: DatasetRecord): string {
  const json = cells.find(
    ({ dataset, codec, bytes }) => dataset === name && codec === "json" && bytes !== undefined,
  );
  const what = [
    ...(size === undefined ? [] : [`${size.count.toLocaleString("en-US")} ${size.unit}`]),
    ...(size === undefined && values > 1 ? [counted(values, "value")] : []),
    ...(json?.bytes === undefined ? [] : [`${countedMeanBytes(json.bytes)} as JSON`]),
  ];
  return oneLine(`For ${name}${what.length === 0 ? "" : ` (${what.join(", ")})`}`);
}

/** @param inShort without memory and cold starts, unless one is the goal; they are left out too where nothing is known of them */
function sentencesOf(
  record: RunRecord,
  { name }: DatasetRecord,
  { inShort }: { readonly inShort: boolean },
): Sentence[] {
  const own = (record.answer ?? []).filter(({ dataset }) => dataset === name);
  const words = new Words(record, own);
  const of = (goal: Answer["goal"]): Sentence[] =>
    own.filter((one) => one.goal === goal && one.among === "service").map((one) => words.of(one));
  const goal = own[0]?.goal;
  const isAside = (about: Answer["goal"]): boolean =>
    goal !== about && (inShort || own.some((one) => one.goal === about && isOpen(one)));
  const sentences: readonly (readonly [Answer["goal"] | undefined, readonly Sentence[]])[] = [
    ["size", words.overall("size")],
    ["speed", words.overall("speed")],
    [undefined, words.withoutSchema()],
    ["latency", of("latency")],
    [undefined, of("enough")],
    ["memory", isAside("memory") ? [] : of("memory")],
    ["cold-start", isAside("cold-start") ? [] : of("cold-start")],
    [undefined, words.undecided()],
  ];
  const first = sentences.filter(([about]) => about !== undefined && about === goal);
  return [...new Set([...first, ...sentences])].flatMap(([, some]) => some);
}

/** What a codec lacks that has a trait, or has it not. */
const LACKING: readonly (readonly [Trait, boolean, string])[] = [
  ["evolves", false, "a new field needs both ends changed at once"],
  ["bounded", true, "texts and lists have limits"],
  ["one-reader", true, "no other library reads it"],
];

/** More names would be a wall of them. */
const MOST_NAMES = 3;

/** The claims about one dataset as sentences. */
class Words {
  readonly #record: RunRecord;
  readonly #answers: readonly Answer[];

  constructor(record: RunRecord, answers: readonly Answer[]) {
    this.#record = record;
    this.#answers = answers;
  }

  /** Of all codecs, and of those for a service where that is another. */
  overall(goal: "size" | "speed"): Sentence[] {
    const all = this.#find(goal, "all");
    if (all === undefined) return [];
    const service = this.#find(goal, "service");
    const isSame = all.codec === service?.codec && all.level.length === service.level.length;
    const other = service === undefined || isSame ? "" : `; for a service: ${this.#claim(service)}`;
    const gzip = goal === "size" ? this.#find("compressed-size", "service") : undefined;
    const isSameByGzip = gzip?.codec === all.codec && gzip.level.length === 0 && all.level.length === 0;
    const byGzip = gzip && (isSameByGzip ? this.#figure(gzip) : this.#claim(gzip));
    const isSmaller = gzip !== undefined && gzip.value < all.value;
    const compressed =
      byGzip === undefined ? "" : isSmaller ? `; with gzip ${byGzip}` : "; gzip makes it no smaller";
    return [{ question: questionOf(all), text: `${this.#claim(all)}${other}${compressed}` }];
  }

  /** The fastest without a schema, and its size or who is smaller. */
  withoutSchema(): Sentence[] {
    const [speed, size] = [this.#find("speed", "schemaless"), this.#find("size", "schemaless")];
    const question = "No schema";
    const of = this.#ofService();
    if (speed === undefined)
      return size === undefined ? [] : [{ question, text: `${of}${this.#claim(size)}` }];
    const text = `${of}${this.#claim(speed)}`;
    if (size === undefined || size.ratio === null || isOpen(speed)) return [{ question, text }];
    const own = size.codec === speed.codec && size.level.length === 0;
    if (own && speed.ratio !== null)
      return [{ question, text: `${text} and ${shareOf(size.ratio)} of its size` }];
    return [{ question, text: `${text}; smallest: ${this.#claim(size)}` }];
  }

  /** What a claim says that is not one of several. */
  of(answer: Answer): Sentence {
    if (answer.goal !== "enough") {
      const of = answer.goal === "cold-start" ? "of what has to be loaded: " : this.#ofService();
      return { question: questionOf(answer), text: `${of}${this.#claim(answer)}` };
    }
    const { codec, value, ratio, against, bandwidth = 0 } = answer;
    const name = nameOf(codec);
    const link = formatBandwidth(bandwidth);
    if (ratio === null || against === null) {
      const text = `over ${link}, where it takes ${formatNanos(value)}: no other can be told to take less`;
      return { question: `${name} is enough`, text };
    }
    const saved = formatNanos(value - value / ratio);
    const best = named(against, answer.againstCompression);
    return {
      question: `${name} is enough if`,
      text: `a message may take ${formatNanos(value)} over ${link}; ${best}, the best there${this.#hasOthers() ? " for a service" : ""}, saves ${saved}${this.#lacks(against)}`,
    };
  }

  #ofService(): string {
    return this.#hasOthers() ? "for a service: " : "";
  }

  /** Whether codecs were measured that an answer for a service leaves out. */
  #hasOthers(): boolean {
    return this.#record.cells.some((cell) => cell.program === undefined && !isForService(cell));
  }

  /** Which of the best cannot be told apart, and what would tell them. */
  undecided(): Sentence[] {
    const pairs = this.#answers.filter(({ goal }) => goal === "undecided");
    const leaders = [...new Set(pairs.map(({ codec }) => codec))];
    if (leaders.length === 0) return [];
    const text = leaders.map((codec) => {
      const own = pairs.filter((pair) => pair.codec === codec);
      const names = [codec, ...own.flatMap(({ against }) => against ?? [])].map(nameOf);
      return `${listed(names, "and")}${this.#needs(own)}`;
    });
    return [{ question: "Not told apart", text: text.join("; ") }];
  }

  #needs(pairs: readonly Answer[]): string {
    const most = Math.max(0, ...pairs.map(({ processes }) => processes ?? 0));
    if (most === 0) return "";
    const { options } = this.#record;
    const held = Math.min(...heldProcesses(this.#record, pairs[0]!.dataset));
    const times = most / held;
    const isEnough = options.profile !== "thorough" && Math.max(2, times) * held <= THOROUGH_PROCESSES;
    const more = isEnough ? ": --profile thorough has them" : "";
    if (times > MOST_TIMES) return " (too alike for any run to tell)";
    return ` (needs about ${Math.max(2, Math.ceil(times))} × the processes${more})`;
  }

  /** `protobufjs, 841 bytes, 32 % of JSON`: no codec is named as the best without what it lacks. */
  #claim(answer: Answer): string {
    const { codec, level, compression, goal } = answer;
    const name = named(codec, compression);
    if (level.length === 0) return `${name}, ${this.#figure(answer)}${this.#lacks(codec)}`;
    const names = [name, ...level].map((one, i) => `${nameOf(one)}${this.#lacks(i === 0 ? codec : one)}`);
    // Sizes are exact: codecs of one size are all the best.
    if (goal === "size" || goal === "compressed-size") {
      const some = isOpen(answer) ? [...names.slice(0, 2), `${names.length - 2} others`] : names;
      return `${listed(some, "and")}, ${this.#figure(answer)}`;
    }
    // A ratio is that of the first alone.
    const from = figureOf(answer);
    if (isOpen(answer)) return `cannot be told: any of ${names.length} codecs may be it, from ${from} on`;
    return `${listed(names, "or")}, not told apart, from ${from}`;
  }

  /** `841 bytes, 32 % of JSON`. */
  #figure(answer: Answer): string {
    return `${figureOf(answer)}${this.#beside(answer)}`;
  }

  /** How it compares with the baseline, where that is told. */
  #beside({ goal, ratio, against, value, againstCompression }: Answer): string {
    if (ratio === null || against === null || ratio === 0) return "";
    const other = named(against, againstCompression);
    if (goal === "latency") return `, where ${other} takes ${formatNanos(value / ratio)}`;
    if (goal === "speed" || goal === "cold-start")
      return ratio < 1
        ? `, ${timesOf(1 / ratio)} × as fast as ${other}`
        : `, ${timesOf(ratio)} × the time of ${other}`;
    const like = goal === "compressed-size" ? `${other} with gzip` : other;
    return ratio < 1 ? `, ${shareOf(ratio)} of ${like}` : `, ${timesOf(ratio)} × ${like}`;
  }

  #lacks(codec: string): string {
    const { traits, world } = this.#record.cells.find((cell) => cell.codec === codec) ?? {};
    if (traits === undefined) return "";
    const lacking = LACKING.flatMap(([trait, has, words]) =>
      hasTrait({ traits }, trait) === has ? [words] : [],
    );
    const all = [...(world === undefined ? [] : [`${world}'s format`]), ...lacking];
    return all.length === 0 ? "" : ` (${all.join("; ")})`;
  }

  #find(goal: Answer["goal"], among: Answer["among"]): Answer | undefined {
    return this.#answers.find((one) => one.goal === goal && one.among === among);
  }
}

/** Of what is more alike nobody measures as much. */
const MOST_TIMES = 100;

/** What the profile `thorough` has. */
const THOROUGH_PROCESSES = 16;

/** Whether so many may be the best that their names say nothing. */
function isOpen({ level }: Answer): boolean {
  return level.length >= MOST_NAMES;
}

function questionOf({ goal, operation, bandwidth }: Answer): string {
  switch (goal) {
    case "size":
      return "Smallest";
    case "speed":
      return operation === "round-trip" ? "Fastest round trip" : `Fastest ${operation}`;
    case "memory":
      return "Least memory";
    case "cold-start":
      return "Fastest start";
    default:
      return `On ${formatBandwidth(bandwidth ?? 0)}`;
  }
}

function figureOf({ unit, value, goal }: Answer): string {
  if (unit === "nanoseconds") return formatNanos(value);
  return `${countedMeanBytes(value)}${goal === "memory" ? " a round trip" : ""}`;
}

function nameOf(codec: string): string {
  return codec === "json" ? "JSON" : codec;
}

/** `JSON + gzip 6`. */
function named(codec: string, compression: Answer["compression"]): string {
  const { algorithm, level } = compression ?? {};
  return level === undefined ? nameOf(codec) : `${nameOf(codec)} + ${algorithm} ${level}`;
}

/** `a`, `a and b`, `a, b and c`, `a, b and 3 others`. */
function listed(names: readonly string[], word: "and" | "or"): string {
  if (names.length === 1) return names[0]!;
  const shown = names.length > MOST_NAMES + 1 ? names.slice(0, MOST_NAMES - 1) : names.slice(0, -1);
  const rest = names.length - shown.length;
  return `${shown.join(", ")} ${word} ${rest === 1 ? names.at(-1) : `${rest} others`}`;
}

/** `32 %`; `99.8 %` rather than `100 %` of what it is less than. */
function shareOf(ratio: number): string {
  return formatShare(ratio, ratio > 0.995 ? 1 : undefined);
}

/** `1.04`, `2.3`, `12`: two digits that differ from 1. */
function timesOf(times: number): string {
  if (times >= 9.95) return times.toFixed(0);
  return times.toFixed(times < 1.095 ? 2 : 1);
}

/** Lines of at most so many columns, unless a word is longer; a figure stays with its unit. */
function wrapped(text: string, columns: number): string[] {
  const words = text.replaceAll(/(?<=[\d×]) (?=[a-zµ%×])/g, "\u00a0").split(" ");
  const lines: string[] = [];
  for (const word of words) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= columns)
      lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines.map((line) => line.replaceAll("\u00a0", " "));
}
