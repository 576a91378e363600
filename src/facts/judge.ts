/** What became of a probe, by what comes back. */
import { inspect, isDeepStrictEqual } from "node:util";
import type { Binding, Encoded } from "../model/codec.ts";
import type { Dataset } from "../model/dataset.ts";
import { defined } from "../model/defined.ts";
import { firstDifference, type Value } from "../model/value.ts";
import { conform } from "../schema/values/conform.ts";
import { decodeTrusted, encodeValue } from "../schema/values/transcode.ts";
import { type AskedCodec, type FactCell, hexOf, shortened } from "./cell.ts";
import { failure } from "./failure.ts";
import { PLAIN, type Probe } from "./fidelity.ts";
import { ABSENT, at, withAt } from "./places.ts";

/** A value of any kind in a line, so that what differs by type differs here. */
export function shown(value: unknown): string {
  if (value === ABSENT) return "absent";
  return shortened(
    inspect(value, {
      depth: 4,
      breakLength: Number.POSITIVE_INFINITY,
      maxArrayLength: 8,
      maxStringLength: 60,
    }),
  );
}

/** The dataset of a probe without it: one value, without documents, with 64-bit integers as the probe has them. */
export function baseOf(
  dataset: Dataset,
  { int64 = dataset.int64, isForeign }: Pick<Probe, "int64" | "isForeign">,
): Dataset {
  if (isForeign === true) return PLAIN;
  const { documents: _, ...rest } = dataset;
  const values = dataset.values.map((value) =>
    int64 === dataset.int64 ? value : conform(dataset.schema, value, { form: "plain", int64 }).value,
  );
  return { ...rest, values, int64 };
}

/**
 * Gives a probe to a codec, and says what comes back. A library is bound to the data as it is, so that its adapter
 * cannot know of the probe. A codec of wirebench looks at all values when it is bound, and so is bound to a probe that its schema has.
 * @param shownBytes of the message, at most
 */
export async function fidelityOf(
  codec: Pick<AskedCodec, "bind" | "library">,
  dataset: Dataset,
  probe: Probe,
  shownBytes?: number,
): Promise<FactCell> {
  const base = baseOf(dataset, probe);
  const given = probe.given();
  const input = withAt(base.values[0], probe.place.steps, given) as Value;
  const isOwn = codec.library === undefined && probe.isForeign !== true;
  const { values, bounds = values } = base;
  const bound = isOwn ? { ...base, values: [input, ...values], bounds: [input, ...bounds] } : base;
  let step: NonNullable<FactCell["step"]> = "bind";
  let encoded: Encoded | undefined;
  try {
    const binding: Binding = await codec.bind(bound);
    step = "write";
    encoded = encodeValue(binding, input);
    step = "read";
    const output = decodeTrusted(binding, encoded);
    return { ...judged(probe, given, input, output), message: messageHex(encoded, shownBytes) };
  } catch (error) {
    const message = encoded === undefined ? undefined : messageHex(encoded, shownBytes);
    return { ...failure(error, step), ...defined({ message }) };
  }
}

function judged(probe: Probe, given: unknown, input: Value, output: Value): FactCell {
  const { steps } = probe.place;
  const got = at(output, steps);
  if (!isSame(probe, given, got)) {
    return { outcome: isLost(given, got) ? "lost" : "other", got: shown(got) };
  }
  const fault = probe.fault?.(got);
  if (fault !== undefined) return { outcome: "other", got: fault };
  const elsewhere = firstDifference(withAt(input, steps, null), withAt(output, steps, null));
  return elsewhere === undefined ? { outcome: "same" } : { outcome: "other", got: `elsewhere: ${elsewhere}` };
}

function isSame({ isForeign }: Probe, given: unknown, got: unknown): boolean {
  if (given === ABSENT || got === ABSENT) return given === got;
  if (isForeign !== true) return firstDifference(given, got) === undefined;
  // In Node 20 an invalid date is not equal to another.
  if (given instanceof Date && got instanceof Date) return Object.is(given.getTime(), got.getTime());
  return isDeepStrictEqual(given, got);
}

/** Whether something was given, and nothing came back in its place. */
function isLost(given: unknown, got: unknown): boolean {
  if (given === undefined || given === ABSENT) return false;
  if (got === ABSENT || got === undefined) return true;
  if (typeof given !== "object" || given === null || typeof got !== "object" || got === null) return false;
  const isFull = !isDeepStrictEqual(given, {}) && !isDeepStrictEqual(given, []);
  return isFull && Reflect.ownKeys(got).length === 0 && Object.getPrototypeOf(got) === Object.prototype;
}

/** A message in hex, as far as a cell shows it: by default as much as it takes to know it by. */
export function messageHex(encoded: Encoded, shownBytes = 64): string {
  const bytes = Buffer.from(encoded as string);
  return hexOf(bytes, bytes.length, shownBytes);
}

/** A value as a codec's message. Throws where it does not come back: then nothing that comes back of others could be told from that. */
export function encodeCarried(binding: Binding, value: Value): Encoded {
  const encoded = encodeValue(binding, value);
  const difference = firstDifference(value, decodeTrusted(binding, encoded));
  if (difference !== undefined) throw new Error(shortened(`it does not carry the data: ${difference}`));
  return encoded;
}
