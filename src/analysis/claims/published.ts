/**
 * What was published, in one place: the figures of four comparisons of serialization, as their authors printed them. Averages
 * are computed from the single runs.
 */

/**
 * The address book (2014, C++): FlatBuffers, protobuf and a raw C struct. A list of 37 records was built in memory, encoded
 * 1,000,000 times and decoded 1,000,000 times, three times over. Milliseconds per 1,000,000 are nanoseconds per list.
 * The averages that were stated are those of the runs, but for FlatBuffers' encoding on the second machine: 9,345.0.
 */
export const PUBLISHED_ADDRESS_BOOK = {
  loops: 1_000_000,
  repeats: 3,
  dataset: "tellist",
  machines: ["Xeon E5-2620, 2.0 GHz", "Core i5-3210M, 2.5 GHz"],
  rows: [
    {
      system: "protobuf",
      bytes: 841,
      encodeMs: [
        [14_210, 14_100, 14_145],
        [12_451, 12_545, 12_554],
      ],
      decodeMs: [
        [11_185, 11_234, 11_237],
        [9_662, 9_840, 10_460],
      ],
    },
    {
      system: "flatbuffers",
      bytes: 1712,
      encodeMs: [
        [11_666, 11_539, 11_737],
        [9_640, 9_595, 9_570],
      ],
      decodeMs: [
        [1_141, 1_200, 1_141],
        [1_164, 1_170, 1_172],
      ],
    },
    {
      system: "raw-struct",
      bytes: 304,
      encodeMs: [
        [4_967, 4_971, 4_966],
        [4_194, 4_387, 4_181],
      ],
      decodeMs: [
        [688, 687, 686],
        [538, 544, 533],
      ],
    },
  ],
  /** A header of 8 bytes, and 37 structs of 48 (x86-64 System V ABI). */
  leastStructBytes: 8 + 37 * 48,
} as const;

/**
 * Erlang's external term format (Erlang/OTP 18, Core i5-4278U, 2.6 GHz): iterations in about 30 s. MB are 2^20 bytes of the
 * term's own encoding. The terms are the two messages of protobuf's benchmark as gpb decodes them.
 */
export const PUBLISHED_ERLANG = {
  seconds: 30,
  rows: [
    {
      system: "etf",
      term: "small",
      bytes: 783,
      encode: { iterations: 10_258_155, seconds: 28.608, megabytes: 267.75 },
      decode: { iterations: 4_293_362, seconds: 33.414, megabytes: 95.95 },
    },
    {
      system: "etf",
      term: "large",
      bytes: 350_911,
      encode: { iterations: 22_443, seconds: 28.046, megabytes: 267.8 },
      decode: { iterations: 10_157, seconds: 32.055, megabytes: 106.04 },
    },
    {
      system: "etf-z6",
      term: "small",
      bytes: 311,
      encode: { iterations: 1_346_787, seconds: 31.552, megabytes: 12.66 },
      decode: { iterations: 3_316_697, seconds: 31.315, megabytes: 31.41 },
    },
    {
      system: "etf-z6",
      term: "large",
      bytes: 77_222,
      encode: { iterations: 4_472, seconds: 28.55, megabytes: 11.54 },
      decode: { iterations: 8_794, seconds: 30.763, megabytes: 21.05 },
    },
    {
      system: "etf-z9",
      term: "small",
      bytes: 311,
      encode: { iterations: 1_302_531, seconds: 30.289, megabytes: 12.75 },
      decode: { iterations: 3_020_752, seconds: 27.687, megabytes: 32.36 },
    },
    {
      system: "etf-z9",
      term: "large",
      bytes: 75_818,
      encode: { iterations: 1_195, seconds: 29.628, megabytes: 2.92 },
      decode: { iterations: 8_923, seconds: 30.438, megabytes: 21.2 },
    },
  ],
  /** The datasets of the shape of the terms. */
  terms: { small: "speed-small", large: "speed-large" },
  protobufBytes: { small: 228, large: 84_584 },
} as const;

/**
 * Cap'n Proto and Protobuf between processes: C++ programs on Ubuntu 20.04, an Intel Core i7-11800H and an ARMv8, 32 GB each.
 * Drops are of 100 messages; totals are per listener.
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

/**
 * Python 2 on a Core i5 of 2.3 GHz: how many calls fit in one second, asking for the time included. The data is one nested
 * dictionary of game data, and two structs.
 */
export const PUBLISHED_PYTHON = {
  emptyPerSecond: 2_174_001,
  rows: [
    { system: "pickle", call: "cPickle.dumps, protocol 1", dataset: "garden", perSecond: 34_514, bytes: 868 },
    { system: "amf3", call: "PyAMF's AMF3 encode", dataset: "garden", perSecond: 6_805, bytes: 656 },
    { system: "struct", call: "struct.pack >ih", dataset: "packet-small", perSecond: 730_989, bytes: 6 },
    { system: "struct", call: "struct.pack >ii1108s", dataset: "packet", bytes: 1116 },
  ],
} as const;

/** The published systems: each has a codec here, and an original. */
export type System =
  | (typeof PUBLISHED_ADDRESS_BOOK.rows)[number]["system"]
  | (typeof PUBLISHED_ERLANG.rows)[number]["system"]
  | (typeof PUBLISHED_PYTHON.rows)[number]["system"]
  | "capnp";

/** The mean of some runs. */
export function averageOf(runs: readonly number[]): number {
  return runs.reduce((sum, run) => sum + run, 0) / runs.length;
}
