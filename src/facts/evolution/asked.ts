/** The table of evolution: each change of a schema, in each direction, as it is asked of one codec. */
import type { Binding } from "../../model/codec.ts";
import type { Dataset } from "../../model/dataset.ts";
import { defined } from "../../model/defined.ts";
import type { Schema } from "../../model/schema.ts";
import { firstDifference, type Value } from "../../model/value.ts";
import { decodeTrusted, encodeValue } from "../../schema/values/transcode.ts";
import type { Answering, AskedCodec, FactCell, FactRow } from "../cell.ts";
import { decodeBare, failure } from "../failure.ts";
import { messageHex, shown } from "../judge.ts";
import { PRICE, priceOf } from "../price.ts";
import { type Change, DIRECTIONS, type Direction } from "./change.ts";
import { changesOf } from "./changes.ts";
import { type Absence, type Version, versionOf } from "./edit.ts";
import { evolved } from "./judge.ts";

interface Question {
  readonly name: string;
  readonly change: Change;
  readonly direction: Direction;
}

function questionsOf(dataset: Dataset, absence?: Absence): Question[] {
  return changesOf(dataset, absence).flatMap((change) =>
    (change.directions ?? DIRECTIONS).map((direction) => ({
      name: `${change.name}: ${direction}`,
      change,
      direction,
    })),
  );
}

/** The rows of the table of a dataset. */
export function evolutionRows(dataset: Dataset): FactRow[] {
  const price = {
    name: `${PRICE} an unknown field`,
    path: "message",
    given: "time to decode a message with one, as a share more than without",
  };
  const rows = questionsOf(dataset).map(({ name, change, direction }) => {
    const isOld = direction === "new reads old";
    const { value } = isOld ? change.old : change.new;
    const back = direction === "relay" ? value : isOld ? change.seenByNew : change.seenByOld;
    return {
      name,
      path: change.path,
      given: change.done,
      written: shown(value),
      expected: shown(back),
    };
  });
  return rows.length === 0 ? [] : [...rows, price];
}

/** What carries out the question of a row; undefined where it has no sense for the codec. */
export function evolutionOf(codec: AskedCodec, dataset: Dataset, shownBytes?: number): Answering {
  const rows = questionsOf(dataset);
  let known: Promise<readonly Question[]> | undefined;
  return async (row) => {
    known ??= questionsFor(codec, dataset, rows);
    if (row === rows.length) return await unknownPrice(codec, dataset, await known);
    const question = (await known).find(({ name }) => name === rows[row]!.name);
    if (question === undefined) return undefined;
    const { change, direction } = question;
    if (codec.format === "capnp" && change.isBeyondCapnp === true) return undefined;
    return await cellOf(codec, dataset, change, direction, shownBytes);
  };
}

/** What a codec without presence is asked with fields that have none: it refuses others, which are the optional ones. */
async function questionsFor(
  codec: AskedCodec,
  dataset: Dataset,
  optional: readonly Question[],
): Promise<readonly Question[]> {
  const [first] = optional;
  if (first === undefined) return [];
  const { schema, value } = first.change.old;
  try {
    await codec.bind({ name: dataset.name, schema, values: [value], int64: dataset.int64 });
    return optional;
  } catch {
    return questionsOf(dataset, "implicit");
  }
}

/** The price of a field that was added to the innermost message that changes; undefined where the old version does not read it. */
async function unknownPrice(
  codec: AskedCodec,
  dataset: Dataset,
  questions: readonly Question[],
): Promise<FactCell | undefined> {
  const isAddition = ({ change, direction }: Question): boolean =>
    change.name.startsWith("add a field at the end") && direction === "old reads new";
  const change = questions.findLast(isAddition)?.change;
  if (change === undefined) return undefined;
  const { outcome } = await cellOf(codec, dataset, change, "old reads new");
  if (outcome !== "same") return undefined;
  const { old, bind, write } = versionsOf(codec, dataset, change);
  const plain = await codec.bind(old);
  const reader = await bind("old", "new");
  const [withNone, withOne] = [encodeValue(plain, change.old.value), await write("new")];
  return priceOf(
    () => decodeTrusted(plain, withNone),
    () => decodeTrusted(reader, withOne),
  );
}

/** Both versions as a codec is bound to them. */
function versionsOf(codec: AskedCodec, dataset: Dataset, change: Change) {
  // A layout with bounds has room for what comes from the other version.
  const asOf = ({ schema, value }: Version, seen: unknown): Dataset => {
    const other = versionOf(schema, seen, dataset.int64);
    return {
      name: dataset.name,
      schema: codec.format === "capnp" ? byNumber(schema) : schema,
      values: [value],
      bounds: other === undefined ? [value] : [value, other.value],
      int64: dataset.int64,
    };
  };
  const versions = { old: asOf(change.old, change.seenByOld), new: asOf(change.new, change.seenByNew) };
  return {
    ...versions,
    /** What reads messages of a writer. */
    bind: async (reader: "old" | "new", writer: "old" | "new"): Promise<Binding> =>
      codec.resolve === undefined
        ? await codec.bind(versions[reader])
        : await codec.resolve(versions[reader], versions[writer]),
    /** The message of a version. */
    write: async (writer: "old" | "new") =>
      encodeValue(await codec.bind(versions[writer]), change[writer].value),
  };
}

async function cellOf(
  codec: AskedCodec,
  dataset: Dataset,
  change: Change,
  direction: Direction,
  shownBytes?: number,
): Promise<FactCell> {
  const versions = versionsOf(codec, dataset, change);
  const { bind } = versions;
  const reader = (version: "old" | "new") => ({
    schema: versions[version].schema,
    message: change.message,
    fields: change.fields,
  });
  let step: NonNullable<FactCell["step"]> = "bind";
  let message: string | undefined;
  try {
    const writer = await codec.bind(versions[direction === "new reads old" ? "old" : "new"]);
    const between = direction === "new reads old" ? undefined : await bind("old", "new");
    const last = direction === "old reads new" ? undefined : await bind("new", "old");
    const again = direction === "relay" ? await codec.bind(versions.old) : undefined;
    step = "write";
    const encoded = encodeValue(writer, change[direction === "new reads old" ? "old" : "new"].value);
    message = messageHex(encoded, shownBytes);
    step = "read";
    if (again !== undefined) {
      const relay = relayOf(codec, between!, again, change.old.value);
      const held = relay.read(encoded);
      step = "write";
      const handedOn = relay.write(held);
      step = "read";
      const cell = evolved(reader("new"), change.new.value, decodeBare(codec, last!, handedOn));
      return { ...(cell.outcome === "default" ? { ...cell, outcome: "lost" } : cell), message };
    }
    const output = decodeBare(codec, (between ?? last)!, encoded);
    const [version, expected] =
      direction === "old reads new"
        ? (["old", change.seenByOld] as const)
        : (["new", change.seenByNew] as const);
    return { ...evolved(reader(version), expected, output), message };
  } catch (error) {
    return { ...failure(error, step), ...defined({ message }) };
  }
}

/** What an old program holds of a message that it hands on, and what it writes of that. */
interface Relay {
  read(bytes: Parameters<Binding["read"]>[0]): unknown;
  write(held: unknown): ReturnType<Binding["write"]>;
}

/**
 * A program that hands on what its library decoded, if the library takes that again, else the plain value of it.
 * @param sample a value of the old schema, by which that is tried
 */
function relayOf(codec: AskedCodec, reader: Binding, writer: Binding, sample: Value): Relay {
  const asItIs: Relay = { read: (bytes) => reader.read(bytes), write: (held) => writer.write(held) };
  const asPlain: Relay = {
    read: (bytes) => decodeBare(codec, reader, bytes),
    write: (held) => encodeValue(writer, held as Value),
  };
  try {
    const own = encodeValue(writer, sample);
    const takes =
      firstDifference(sample, decodeTrusted(writer, writer.write(writer.read(own)))) === undefined;
    return takes ? asItIs : asPlain;
  } catch {
    return asPlain;
  }
}

/** Fields in the order of their numbers, which Cap'n Proto's ordinals are: where they are declared does not count. */
function byNumber(schema: Schema): Schema {
  const messages = Array.from(
    schema.messages,
    ([name, type]) =>
      [name, { ...type, fields: type.fields.toSorted((a, b) => a.number - b.number) }] as const,
  );
  return { ...schema, messages: new Map(messages) };
}
