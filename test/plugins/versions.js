// A codec of JSON that goes wrong with what a later version of a program wrote.
import { compileVisitor, defineCodec, direct } from "wirebench";

function variant(onNew) {
  return {
    summary: "goes wrong with a field that was added",
    bind: ({ schema }) =>
      direct({
        write: (value) => Buffer.from(JSON.stringify(value)),
        read: (bytes) => {
          const value = JSON.parse(bytes.toString());
          return "wirebench_added" in value ? onNew(value) : value;
        },
        visit: compileVisitor(schema),
      }),
  };
}

export default defineCodec({
  format: "json",
  library: "node",
  ...variant((value) => value),
  variants: {
    refuses: {
      summary: "gives back nothing of what it was given",
      bind: ({ schema }) =>
        direct({ write: () => Buffer.alloc(1), read: () => ({}), visit: compileVisitor(schema) }),
    },
    dies: variant(() => process.abort()),
    hoards: variant(() => {
      for (const kept = []; ; ) kept.push(new Array(1e6).fill(kept.length));
    }),
  },
});
