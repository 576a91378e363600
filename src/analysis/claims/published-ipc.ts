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
