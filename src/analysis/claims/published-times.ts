/** Figures that others published of a dataset's encoding and decoding, to be put beside those of a run. */

/** What was published of one dataset. */
export interface PublishedTimes {
  /** The machines that the times are of. */
  readonly environments: readonly string[];
  readonly rows: readonly PublishedRow[];
}

/** What was published of one format. */
export interface PublishedRow {
  readonly format: string;
  /** The codec that stands for it here. */
  readonly codec: string;
  readonly bytes: number;
  /** Nanoseconds per message, one for each of the environments. */
  readonly encode: readonly number[];
  readonly decode: readonly number[];
}

/**
 * The address book benchmark (FlatBuffers, protobuf and a raw struct, C++, 2014): ms for 1,000,000 loops, averages of three
 * runs computed from its single runs. A ms per million is a ns per list.
 */
const ADDRESS_BOOK: PublishedTimes = {
  environments: ["Xeon E5-2620, 2.0 GHz", "Core i5-3210M, 2.5 GHz"],
  rows: [
    {
      format: "protobuf",
      codec: "protobufjs",
      bytes: 841,
      encode: [14151.7, 12516.7],
      decode: [11218.7, 9987.3],
    },
    {
      format: "FlatBuffers",
      codec: "flatbuffers",
      bytes: 1712,
      encode: [11647.3, 9601.7],
      decode: [1160.7, 1168.7],
    },
    { format: "raw struct", codec: "raw-struct", bytes: 304, encode: [4968, 4254], decode: [687, 538.3] },
  ],
};

/** By the name of the dataset. */
const PUBLISHED: ReadonlyMap<string, PublishedTimes> = new Map([["tellist", ADDRESS_BOOK]]);

/** What was published of a dataset; undefined where nothing was. */
export function publishedTimes(dataset: string): PublishedTimes | undefined {
  return PUBLISHED.get(dataset);
}
