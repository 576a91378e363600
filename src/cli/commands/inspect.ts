/** `wirebench inspect`: what each byte of a message is. */
import path from "node:path";
import { readBytes } from "../../catalog/file-chunks.ts";
import { type NamedCodec, Registry } from "../../catalog/registry.ts";
import type { Binding, ByteRules } from "../../model/codec.ts";
import type { Dataset } from "../../model/dataset.ts";
import { defined } from "../../model/defined.ts";
import { DecodeError, refusal, UnsupportedError, UsageError } from "../../model/errors.ts";
import type { Anatomy, Inspected, InspectedCodec, RegionTable } from "../../model/region-table.ts";
import { childPath } from "../../model/value.ts";
import { type ComparedFile, differenceJson, differenceText } from "../../reports/inspect/compare.ts";
import { inspectedJson } from "../../reports/inspect/json.ts";
import { comparedText, dumpText } from "../../reports/inspect/text.ts";
import { libraryHere } from "../../runtimes/node/library-copy.ts";
import { nameSymbols, regionReader } from "../../schema/regions/index.ts";
import { carriedBy } from "../../schema/values/documents.ts";
import { encodeProven } from "../../schema/values/transcode.ts";
import { withCodec } from "../chosen-codec.ts";
import { MESSAGE_RULES, messageRules, subjectOf } from "../data.ts";
import { EXIT, type Invocation } from "../io.ts";
import { formatOf, type SubjectFlags } from "../options.ts";

interface InspectFlags extends SubjectFlags {
  readonly codec: readonly string[];
  readonly plugin: readonly string[];
  readonly all?: boolean;
  readonly totals?: boolean;
  readonly json?: boolean;
  readonly format?: Format;
}

type Format = "text" | "html" | "json";

/** Prints the regions of a message, sums of them, or where two differ. Fails where a message is damaged. */
export async function inspect(
  words: readonly string[],
  flags: InspectFlags,
  io: Invocation,
): Promise<number> {
  const format = formatOf(flags);
  const registry = await Registry.open(flags.plugin);
  if (flags.codec.length === 0) throw new UsageError("expected a codec: -c protobufjs");
  const names = await registry.selectCodecs(flags.codec);
  const isTold = flags.dataset !== undefined || flags.schema !== undefined || flags.data.length > 0;
  const file = isTold ? undefined : words[0];
  const rest = isTold ? words : words.slice(1);
  if (rest.length > 2) throw new UsageError(`expected two files of bytes at most, got ${rest.join(", ")}`);
  const isOne = flags.totals !== true || rest.length > 1 || format === "html";
  if (names.length > 1 && isOne)
    throw new UsageError(
      `${names.length} codecs: --totals puts them side by side, and the bytes are shown of one`,
    );
  const subject = await subjectOf(
    registry,
    { ...flags, ...(file === undefined ? {} : { files: [file] }) },
    io,
    rest.length > 0 ? MESSAGE_RULES : [],
  );
  const given = await Promise.all(rest.map(async (name) => (await readBytes(name)).bytes));
  const { unknown, strict, maxValues } = messageRules(flags, io);
  const rules: ByteRules = {
    ...defined({ strict, maxValues }),
    unknown: unknown === "refuse" ? "refuse" : "skip",
  };
  const inspected: InspectedCodec[] = [];
  if (given.length > 1) {
    const [before, after] = await withCodec(registry, names[0]!, io, async (codec) =>
      Promise.all(
        given.map(async (bytes, i) => ({
          ...(await inspectedBy(codec, subject, bytes, rules)),
          file: path.basename(rest[i]!),
        })),
      ),
    );
    inspected.push(before!, after!);
    printBoth(before!, after!, format, flags, io);
  } else {
    for (const name of names) {
      try {
        inspected.push(
          await withCodec(registry, name, io, (codec) => inspectedBy(codec, subject, given[0], rules)),
        );
      } catch (error) {
        if (names.length === 1) throw error;
        inspected.push({ codec: name, reason: refusal(error).reason });
      }
    }
    await print(inspected, format, flags, io);
    const [one] = inspected;
    // With a schema a file is a message; people give their values so too.
    if (one !== undefined && "damage" in one && /\.(?:json|jsonl|ndjson)$/i.test(rest[0] ?? ""))
      io.tell(`${rest[0]} was read as a message of ${one.codec}: --data has values of it instead\n`);
  }
  return inspected.some((one) => "damage" in one) ? EXIT.failed : EXIT.ok;
}

function printBoth(
  before: ComparedFile,
  after: ComparedFile,
  format: Format,
  flags: InspectFlags,
  io: Invocation,
): void {
  if (format === "html") throw new UsageError("--format html shows one message, got two");
  if (format === "json") io.print(differenceJson(before, after));
  else io.print(differenceText(before, after, flags.all, io.width()));
}

async function print(
  inspected: readonly InspectedCodec[],
  format: Format,
  flags: InspectFlags,
  io: Invocation,
): Promise<void> {
  const { all = false, totals = false } = flags;
  const [only] = inspected;
  const width = io.width();
  if (format === "json") printAll(inspectedJson(inspected, totals), io);
  else if (format === "html" && only !== undefined && "regions" in only) {
    const { inspectedHtml } = await import("../../reports/inspect/html.ts");
    io.print(inspectedHtml(only, all));
  } else if (inspected.length === 1 && only !== undefined && "regions" in only) {
    const colours = width !== undefined && io.isColoured();
    printAll(dumpText(only, { all, totals, colours, width }), io);
  } else io.print(comparedText(inspected, width));
}

/** A write for each line would take longer than to make it. */
function printAll(parts: Iterable<string>, io: Invocation): void {
  let text = "";
  for (const part of parts) {
    text += part;
    if (text.length < 1 << 16) continue;
    io.print(text);
    text = "";
  }
  io.print(text);
}

/** @param given bytes of the message; without them those of the subject's first value */
async function inspectedBy(
  codec: NamedCodec,
  subject: Dataset,
  given: Uint8Array | undefined,
  rules: ByteRules,
): Promise<Inspected> {
  const read = regionReader(codec);
  if (typeof read === "string") throw new UnsupportedError(read);
  const dataset = boundTo(codec, subject, given !== undefined);
  const binding = await codec.bind(dataset);
  const [value] = dataset.values;
  if (given === undefined && value === undefined)
    throw new UsageError("expected the bytes of a message, or --data with a value");
  const encoded = given ?? encodeProven(codec.name, binding, value ?? null);
  const bytes = typeof encoded === "string" ? Buffer.from(encoded) : encoded;
  // What was written here is proven already: it decodes to the value.
  const problem = given === undefined ? undefined : problemOf(binding, given, rules);
  const anatomy = read(bytes, dataset);
  nameSymbols(dataset.schema, anatomy);
  return {
    codec: codec.name,
    ...packageOf(codec),
    dataset: subject.name,
    bytes,
    ...marked(anatomy, problem),
  };
}

/** Why the verifier refuses bytes from outside, if it does. */
function problemOf(binding: Binding, bytes: Uint8Array, rules: ByteRules): unknown {
  try {
    binding.verify(bytes, rules);
    return undefined;
  } catch (error) {
    return error;
  }
}

/** The package that a codec used; nothing where it is built in. */
function packageOf(codec: NamedCodec): Pick<Inspected, "library" | "version"> {
  if (codec.library === undefined || codec.library === "node") return {};
  const { library, version } = libraryHere(codec);
  return { library, version };
}

/** As for decoding: bigints hold every 64-bit integer, whatever is in the bytes. */
function boundTo(codec: NamedCodec, subject: Dataset, isGiven: boolean): Dataset {
  if (!isGiven) return carriedBy(codec, subject);
  const { values: bounds, documents, ...rest } = subject;
  const unknown: Dataset = { ...rest, values: [], bounds, int64: "bigint" };
  return carriedBy(codec, documents === undefined ? unknown : { ...unknown, documents: [] });
}

/**
 * The regions, the first bad one marked with the reason: that of the verifier, or else the reader's. The verifier does not always say
 * where. Where the reader met something then, it may be something else: what it met is told with its place. What is damaged comes before
 * what is sound and not read.
 */
function marked(
  { regions, defaults, problem: met }: Anatomy,
  refused: unknown,
): Pick<Inspected, "regions" | "defaults" | "damage"> {
  const problems = [refused, met]
    .filter((problem) => problem !== undefined)
    .map((problem) => {
      const known = problem instanceof DecodeError ? problem : undefined;
      const at = known && indexOf(regions, known.offset, known.path);
      return { problem, at, isDamage: known?.code !== "unsupported" };
    });
  const damages = problems.filter(({ isDamage }) => isDamage);
  const all = [...damages, ...problems];
  const told = all.find((one) => one.at !== undefined) ?? all[0];
  if (told === undefined) return { regions, defaults };
  const { problem, at } = told;
  if (!(problem instanceof Error)) throw problem;
  const reason = problem.message;
  if (at !== undefined) regions.blame(at, reason);
  const own = problem instanceof DecodeError ? problem.offset : undefined;
  const offset = own ?? (at === undefined ? undefined : regions.offsetAt(at));
  return { regions, defaults, damage: { reason, isSound: damages.length === 0, ...defined({ offset }) } };
}

/**
 * The region at an offset, or else the one at a path that is the value there, or is next to that; the last one where the message ends
 * before that.
 */
function indexOf(
  regions: RegionTable,
  offset: number | undefined,
  path: string | undefined,
): number | undefined {
  if (offset !== undefined) return regions.length === 0 ? undefined : regions.indexAt(offset);
  let nearest: number | undefined;
  for (let i = 0; path !== undefined && i < regions.length; i++) {
    const place = regions.placeAt(i);
    // To make the text of a deep path takes long: its end tells most of them apart.
    if (place.parent !== undefined && !path.endsWith(childPath("", place.step))) continue;
    if (place.path !== path) continue;
    if (regions.roleAt(i) === "payload") return i;
    nearest ??= i;
  }
  return nearest;
}
