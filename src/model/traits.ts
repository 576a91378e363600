/**
 * What each trait of a codec says: facts of its format and library that no measurement tells, and that a choice hangs on.
 * What says nothing of a codec is not known of it.
 */
export const TRAITS = {
  schemaless: "needs no schema",
  "self-describing": "its bytes carry names and types",
  evolves: "old and new programs read each other's messages where fields come and go",
  binary: "is no text",
  "zero-copy": "fields are read in place, from the bytes",
  bounded: "texts and lists have limits, which the data sets here",
  "one-reader": "no other library reads it",
  "needs-eval": "makes code of strings where it runs, which a content security policy forbids",
} as const;

/** See {@link TRAITS}. */
export type Trait = keyof typeof TRAITS;

/** The language whose programs a format is of, where they are not those of Node. */
export type World = "C" | "Erlang" | "Flash" | "Python";

/** What is declared of a codec or of a variant. */
export interface Traits {
  readonly traits: readonly Trait[];
  readonly world?: World;
}

/** Codecs that have something in common, chosen by `@` and the name of their group. */
export interface CodecGroup {
  readonly summary: string;
  has(codec: Grouped): boolean;
}

/** What tells the groups of a codec. */
export interface Grouped extends Traits {
  readonly format: string;
  /** Set where its library does not come with wirebench. */
  readonly tried?: string;
}

/** The codecs of a format: `@protobuf`, `@cbor`. */
export function formatGroup(format: string): CodecGroup {
  return { summary: `of the format ${format}`, has: (codec) => codec.format === format };
}

const WORLDS: readonly World[] = ["C", "Erlang", "Flash", "Python"];

/** The groups by their names. None has variants of a codec: those are chosen by name. */
export const GROUPS: ReadonlyMap<string, CodecGroup> = new Map<string, CodecGroup>([
  [
    "published",
    {
      summary: "all of the published benchmarks, and what stands beside them",
      has: ({ tried }) => tried === undefined,
    },
  ],
  ["node", { summary: "the choice of a Node program", has: ({ world }) => world === undefined }],
  ["schema", { summary: "needs a schema at both ends", has: (codec) => !hasTrait(codec, "schemaless") }],
  ["text", { summary: "is text", has: (codec) => !hasTrait(codec, "binary") }],
  ["no-eval", { summary: "makes no code of strings", has: (codec) => !hasTrait(codec, "needs-eval") }],
  ...Object.entries(TRAITS).map(
    ([trait, summary]) =>
      [trait, { summary, has: (codec: Traits) => hasTrait(codec, trait as Trait) }] as const,
  ),
  ...WORLDS.map(
    (world) =>
      [
        world.toLowerCase(),
        { summary: `of ${world}'s world`, has: (codec: Traits) => codec.world === world },
      ] as const,
  ),
]);

/** Whether a codec is declared to have a trait. */
export function hasTrait({ traits }: Pick<Traits, "traits">, trait: Trait): boolean {
  return traits.includes(trait);
}

/** Whether a service may use a codec's format: it evolves, and is of no other language. What says nothing of itself is for no purpose in particular. */
export function isForService({ traits = [], world }: Partial<Traits>): boolean {
  return world === undefined && hasTrait({ traits }, "evolves");
}
