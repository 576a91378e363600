// A dataset of the user's own, in sizes, whose 64-bit integers do not fit numbers.
import { defineDataset } from "wirebench";

const name = "test.Coordinates";
const field = {
  name: "at",
  number: 1,
  type: { kind: "scalar", scalar: "uint64" },
  repetition: { kind: "list", packed: true },
};

export default defineDataset({
  story: "Places in a very large room.",
  schema: {
    package: "test",
    root: name,
    messages: new Map([[name, { name, fields: [field] }]]),
    enums: new Map(),
  },
  size: { unit: "coordinates", standard: 3, max: 100 },
  make: (size, index) => ({ at: Array.from({ length: size }, (_, i) => 2n ** 60n + BigInt(i + index)) }),
});
