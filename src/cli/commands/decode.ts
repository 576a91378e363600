import { readBytes } from "../../catalog/data-file.ts";
import { Registry } from "../../catalog/registry.ts";
import type { Dataset } from "../../model/dataset.ts";
import { jsonChunks } from "../../schema/values/json-text.ts";
import { decodeUntrusted } from "../../schema/values/transcode.ts";
import { subjectOf } from "../data.ts";
import type { Io } from "../io.ts";
import type { SubjectFlags } from "../options.ts";

interface DecodeFlags extends SubjectFlags {
  readonly codec: string;
  readonly plugin: readonly string[];
}

/** `wirebench decode`: bytes in, the value as JSON out. The bytes are checked before anything reads them. */
export async function decode(file: string | undefined, flags: DecodeFlags, io: Io): Promise<void> {
  const registry = await Registry.open(flags.plugin);
  const codec = await registry.codec(flags.codec);
  // Bigints hold every 64-bit integer, whatever is in the bytes.
  const dataset: Dataset = { ...(await subjectOf(registry, flags)), int64: "bigint" };
  const binding = await codec.bind(dataset);
  const value = decodeUntrusted(codec.name, binding, dataset, readBytes(file ?? "-").bytes);
  for (const chunk of jsonChunks(value)) io.print(chunk);
}
