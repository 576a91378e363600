// A codec that goes wrong in each way that a cell of the facts can name. It calls itself a library's.
import { compileVisitor, defineCodec, direct } from "wirebench";

const isProbe = (value) => value.name === "";

function variant(onProbe) {
  return {
    summary: "goes wrong with an empty name",
    bind: ({ schema }) =>
      direct({
        write: (value) => Buffer.from(JSON.stringify(isProbe(value) ? onProbe(value) : value)),
        read: (bytes) => JSON.parse(bytes.toString()),
        visit: compileVisitor(schema),
      }),
  };
}

export default defineCodec({
  format: "json",
  library: "node",
  ...variant((value) => value),
  variants: {
    changes: variant((value) => ({ ...value, name: "other" })),
    loses: variant(({ name, ...rest }) => rest),
    elsewhere: variant((value) => ({ ...value, age: value.age + 1 })),
    throws: variant(() => {
      throw new TypeError("no such luck");
    }),
    unreadable: variant(() => undefined),
    dies: variant(() => process.abort()),
    exits: variant(() => process.exit(0)),
    hangs: variant(() => {
      for (;;);
    }),
  },
});
