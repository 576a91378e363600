import type { Binding, ByteRules } from "../model/codec.ts";
import type { Dataset } from "../model/dataset.ts";
import { UsageError, WirebenchError } from "../model/errors.ts";
import type { Int64Mode, Schema } from "../model/schema.ts";
import { leftOutText, UnknownFields } from "../model/unknown-field.ts";
import { decodeUntrusted } from "../schema/values/transcode.ts";
import { withUnknown } from "../schema/with-unknown.ts";
import type { Input } from "./file-records.ts";
import { Registry } from "./registry.ts";

/** What encoded messages of a user may have, and hold. */
export interface MessageRules extends Omit<ByteRules, "unknown" | "onLeftOut"> {
  /**
   * What to do with what the schema lacks, as it is in messages of newer programs: `skip`, the default, leaves it out;
   * `keep` adds a field or an enum's value to the schema for it.
   */
  readonly unknown?: "refuse" | "skip" | "keep";
  /** Is told in one sentence what was left out. */
  onLeftOut?(sentence: string): void;
}

/** What reads messages of a schema that is in its format's own language. */
const CODECS = { flatbuffers: "flatbuffers", capnp: "capnp-ts" } as const;

/** Reads the encoded messages among a user's files, all of one schema. */
export class MessageReader {
  /** What was left out so far. */
  readonly leftOut = new UnknownFields();
  /** What they are of. */
  readonly schema: Schema;
  readonly #int64: Int64Mode | "auto";
  readonly #rules: MessageRules;
  #load: Binding["load"];

  constructor(schema: Schema, int64: Int64Mode | "auto", rules: MessageRules) {
    this.schema = schema;
    this.#int64 = int64;
    this.#rules = rules;
  }

  async #loader(): Promise<NonNullable<Binding["load"]>> {
    const codec = await (await Registry.open()).codec("protobufjs");
    const { load } = await codec.bind({ name: "", schema: this.schema, values: [], int64: "bigint" });
    if (load === undefined) throw new Error("protobufjs loads no messages");
    return load;
  }

  /** A message of the format whose language the schema is in. */
  async #own(language: keyof typeof CODECS, name: string, bytes: Uint8Array): Promise<Input> {
    const codec = await (await Registry.open()).codec(CODECS[language]);
    const dataset: Dataset = { name, schema: this.schema, values: [], int64: "bigint" };
    const value = decodeUntrusted(codec.format, await codec.bind(dataset), dataset, bytes);
    return { name, value, form: "plain", bytes: bytes.length };
  }

  /**
   * The value of a message. Throws UsageError, also where nothing in it is known: then it is another message, or none.
   * @param isOne whether it is one of many, which may well have what is new only
   */
  async read(name: string, bytes: Uint8Array, isOne = false): Promise<Input> {
    try {
      if (this.schema.language !== undefined) return await this.#own(this.schema.language, name, bytes);
      this.#load ??= await this.#loader();
      const { unknown, ...rules } = this.#rules;
      const loaded = this.#load(bytes, this.#int64, {
        ...rules,
        unknown: unknown === "refuse" ? "refuse" : "skip",
        onLeftOut: (kinds) => {
          for (const { count, ...kind } of kinds) this.leftOut.add(kind, count);
        },
      });
      if (!loaded.isKnown && !isOne && unknown === undefined)
        throw new UsageError(`nothing in it is a field of ${this.schema.root}: is it another message?`);
      const { value, int64 } = loaded;
      return { name, value, form: "plain", int64, bytes: bytes.length };
    } catch (error) {
      if (!(error instanceof WirebenchError)) throw error;
      throw new UsageError(`${name}: ${error.message}`, { cause: error });
    }
  }
}

/**
 * Reads inputs with a reader of their messages, as often as it takes to keep what is unknown if that is to be kept, and
 * tells what was left out. Returns the schema that they are of then, too.
 */
export async function readMessages(
  schema: Schema,
  int64: Int64Mode | "auto",
  rules: MessageRules,
  read: (reader: MessageReader) => Promise<readonly Input[]>,
): Promise<{ readonly schema: Schema; readonly inputs: readonly Input[] }> {
  const reader = new MessageReader(schema, int64, rules);
  const inputs = await read(reader);
  const unknown = reader.leftOut.all();
  if (rules.unknown === "keep" && unknown.length > 0)
    return readMessages(withUnknown(schema, unknown), int64, rules, read);
  const sentence = leftOutText(unknown);
  if (sentence !== undefined) rules.onLeftOut?.(sentence);
  return { schema, inputs };
}
