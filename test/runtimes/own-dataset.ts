import type { Dataset } from "wirebench";

/** What JSON and other runtimes could lose. */
export const OWN: Dataset = {
  name: "own",
  schema: {
    package: "",
    root: "Own",
    messages: new Map([
      [
        "Own",
        {
          name: "Own",
          fields: (["int64", "double", "bytes", "string"] as const).map((scalar, index) => ({
            name: scalar,
            number: index + 1,
            type: { kind: "scalar", scalar },
            repetition: { kind: "list", packed: false },
          })),
        },
      ],
    ]),
    enums: new Map(),
  },
  values: [
    {
      int64: [2n ** 63n - 1n, -5n],
      double: [Number.NaN, -0, Number.NEGATIVE_INFINITY, 0.1],
      bytes: [Uint8Array.of(0, 255), new Uint8Array(0)],
      string: ["", "\u2028\n\ud83d\ude00", "__proto__"],
    },
  ],
  int64: "bigint",
};
