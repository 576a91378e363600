/** A codec by its name, with its library loaded: what knows no files, so that a page can have it too. */
import type { Binding, CodecDefinition, CodecVariant, PageCode } from "../model/codec.ts";
import type { Dataset } from "../model/dataset.ts";
import { defined } from "../model/defined.ts";
import { NotInstalledError, PluginError, UnsupportedError, UsageError } from "../model/errors.ts";
import { nearNames } from "../model/near-names.ts";
import type { Trait, World } from "../model/traits.ts";

/** A codec or a variant of one, with the name it has everywhere: `msgpackr`, `msgpackr:records`. */
export interface NamedCodec extends Omit<CodecVariant, "traits" | "bind" | "page" | "resolve"> {
  readonly name: string;
  /** `schemaless` among them, where it is. */
  readonly traits: readonly Trait[];
  readonly world?: World;
  readonly format: string;
  readonly library?: string;
  readonly tried?: string;
  readonly build?: string;
  /** Imports a library that is no import of the codec's file; {@link bind} does so too. */
  readonly load?: () => Promise<void>;
  bind(dataset: Dataset): Binding | Promise<Binding>;
  readonly page?: (dataset: Dataset) => PageCode | Promise<PageCode>;
  /** See {@link CodecVariant.resolve}. */
  resolve?(reader: Dataset, writer: Dataset): Binding | Promise<Binding>;
  /** Where the library is resolved from. */
  readonly file: string;
}

/** `name:rest` split at the first colon. */
export function splitName(name: string): [string, string?] {
  const colon = name.indexOf(":");
  return colon < 0 ? [name] : [name.slice(0, colon), name.slice(colon + 1)];
}

/** A codec and its variants, the plain one first. @param file where its library is resolved from */
export function expand(base: string, definition: CodecDefinition, file: string): NamedCodec[] {
  const { format, library, tried, build, world, variants = {} } = definition;
  const shared = defined({ format, file, library, tried, build, world });
  const load = definition.load && (() => loadLibrary(base, definition));
  const named = (name: string, variant: CodecVariant): NamedCodec => ({
    name,
    summary: variant.summary,
    bind:
      load === undefined
        ? variant.bind.bind(variant)
        : async (dataset) => variant.bind(dataset, await load()),
    ...(variant.resolve === undefined
      ? {}
      : {
          resolve: async (reader: Dataset, writer: Dataset) =>
            variant.resolve!(reader, writer, await definition.load?.()),
        }),
    ...defined({ load, page: variant.page && pageOf(variant.page.bind(variant), load) }),
    traits: [
      ...(variant.schemaless === true ? ["schemaless" as const] : []),
      ...(variant.traits ?? definition.traits ?? []),
    ],
    ...defined({ schemaless: variant.schemaless }),
    ...shared,
  });
  const others = Object.entries(variants).map(([name, variant]) => named(`${base}:${name}`, variant));
  return [named(base, definition), ...others];
}

function pageOf(
  page: NonNullable<CodecVariant["page"]>,
  load: (() => Promise<void>) | undefined,
): NonNullable<NamedCodec["page"]> {
  return load === undefined ? (dataset) => page(dataset) : async (dataset) => page(dataset, await load());
}

/** Imports the library of a codec that loads it itself. Throws PluginError. */
async function loadLibrary(name: string, { load, library = "", tried }: CodecDefinition): Promise<void> {
  try {
    return await load?.();
  } catch (error) {
    // In a page: what it needs is not there.
    if (error instanceof Error && error.name === UnsupportedError.name) throw error;
    const { code, message } =
      error instanceof Error ? (error as NodeJS.ErrnoException) : { code: undefined, message: String(error) };
    const isMissing = code === "ERR_MODULE_NOT_FOUND" && message.includes(`'${library}'`);
    if (isMissing) throw notInstalled({ name, library, ...defined({ tried }) });
    throw new PluginError(`${name}: its library ${library} cannot be loaded: ${message}`, { cause: error });
  }
}

/** What a user is told where a codec's library is nowhere. One that comes with wirebench is missing by some mistake. */
export function notInstalled({
  name,
  library = "",
  tried,
}: Pick<NamedCodec, "name" | "library" | "tried">): PluginError {
  if (tried === undefined) return new PluginError(`${name}: its library ${library} is not installed`);
  return new NotInstalledError(`not installed: npm install ${library}@${tried}, or --install`);
}

/** The codec of a name with or without a variant, of a definition. Throws UsageError with the near names. */
export function codecOf(name: string, definition: CodecDefinition, file: string): NamedCodec {
  const [base = "", variant] = splitName(name);
  const found = expand(base, definition, file).find((codec) => codec.name === name);
  if (found !== undefined) return found;
  const variants = Object.keys(definition.variants ?? {});
  if (variants.length === 0) throw new UsageError(`codec "${base}" has no variants, got "${name}"`);
  throw new UsageError(`codec "${base}" has no variant "${variant}"${nearNames(variant ?? "", variants)}`);
}
