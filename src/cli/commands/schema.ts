import { Registry } from "../../catalog/registry.ts";
import type { Dataset } from "../../model/dataset.ts";
import { emitCapnp } from "../../schema/emit/capnp.ts";
import { emitFbs } from "../../schema/emit/fbs.ts";
import { emitHeader } from "../../schema/emit/header.ts";
import { emitProto } from "../../schema/emit/proto.ts";
import { subjectOf } from "../data.ts";
import type { Io } from "../io.ts";
import type { SubjectFlags } from "../options.ts";

type Language = "proto" | "fbs" | "capnp" | "header";

interface SchemaFlags extends SubjectFlags {
  readonly to: Language;
  readonly plugin: readonly string[];
}

const PRINTERS: Readonly<Record<Language, (dataset: Dataset) => string>> = {
  proto: ({ schema }) => emitProto(schema),
  fbs: ({ schema }) => emitFbs(schema),
  capnp: ({ schema }) => emitCapnp(schema),
  header: emitHeader,
};

/** `wirebench schema`: the schema that a codec binds to, in the language of its official tools. */
export async function schema(flags: SchemaFlags, io: Io): Promise<void> {
  const subject = await subjectOf(await Registry.open(flags.plugin), flags);
  io.print(PRINTERS[flags.to](subject));
}
