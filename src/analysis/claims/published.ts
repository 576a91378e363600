/**
 * The figures of the published comparison of Cap'n Proto and Protobuf between processes: C++ programs on Ubuntu 20.04,
 * an Intel Core i7-11800H and an ARMv8, 32 GB each. Drops are of 100 messages; totals are per listener.
 */
export const PUBLISHED_IPC = {
  latency: {
    megabytes: 6.5,
    x86_64: { capnpMs: 63.133, protobufMs: 131.145 },
    aarch64: { capnpMs: 66.84, protobufMs: 2092.023 },
  },
  throughput: { megabytes: 1000 },
  stability: { messages: 20_000 },
  singlePoint: { messages: 100 },
  fanOut: [
    {
      test: "one-to-two",
      megabytes: 6.5,
      messages: 100,
      capnp: { dropped: 2, totalMs: [15174.0, 15177.6] },
      protobuf: { dropped: 2, totalMs: [17653.1, 17652.2] },
    },
    {
      test: "one-to-two",
      megabytes: 26,
      messages: 100,
      capnp: { dropped: 0, totalMs: [33837.6, 33823.4] },
      protobuf: { dropped: 28, totalMs: [41962.9, 41945.8] },
    },
    {
      test: "two-to-one",
      megabytes: 6.5,
      messages: 100,
      capnp: { dropped: 2, totalMs: [15340.9] },
      protobuf: { dropped: 0, totalMs: [19365.9] },
    },
    {
      test: "two-to-one",
      megabytes: 26,
      messages: 100,
      capnp: { dropped: 0, totalMs: [35064.2] },
      protobuf: { dropped: 25, totalMs: [46472.4] },
    },
  ],
} as const;

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
