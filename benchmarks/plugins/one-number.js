// The smallest dataset: for codecs whose cost is the matter, not their data.
import { defineDataset } from "wirebench";

const name = "test.OneNumber";
const field = {
  name: "n",
  number: 1,
  type: { kind: "scalar", scalar: "int32" },
  repetition: { kind: "one", presence: "always" },
};

export default defineDataset({
  story: "One number, which is zero.",
  schema: {
    package: "test",
    root: name,
    messages: new Map([[name, { name, fields: [field] }]]),
    enums: new Map(),
  },
  make: () => ({ n: 0 }),
});
