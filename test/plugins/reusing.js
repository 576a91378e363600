// A codec that gives out what it has given out before, in one way each.
import { compileVisitor, defineCodec, direct } from "wirebench";

const message = {};
const people = Array.from({ length: 37 }, () => ({}));
const scratch = Buffer.alloc(1024);

function variant(summary, overrides) {
  return {
    summary,
    bind: ({ schema }) =>
      direct({
        write: (value) => Buffer.from(JSON.stringify(value)),
        read: (bytes) => JSON.parse(bytes.toString()),
        visit: compileVisitor(schema),
        ...overrides,
      }),
  };
}

export default defineCodec({
  format: "json",
  ...variant("decodes into one object over and over", {
    read: (bytes) => Object.assign(message, JSON.parse(bytes.toString())),
  }),
  variants: {
    elements: variant("decodes into a new list of the same elements", {
      read: (bytes) => {
        const { info } = JSON.parse(bytes.toString());
        return { info: info.map((person, i) => Object.assign(people[i], person)) };
      },
    }),
    scratch: variant("decodes bytes to views of one buffer", {
      write: ({ data }) => Buffer.from(data),
      read: (bytes) => {
        scratch.set(bytes);
        return { data: scratch.subarray(0, bytes.length) };
      },
    }),
  },
});
