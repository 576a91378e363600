// A codec that goes wrong in every way a codec can, one variant each.
import { compileVisitor, defineCodec, direct, UnsupportedError } from "wirebench";

const shared = Buffer.alloc(4096);

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

let calls = 0;

export default defineCodec({
  format: "json",
  ...variant("behaves", {}),
  variants: {
    crashes: variant("ends its process", { write: () => process.abort() }),
    exits: variant("calls process.exit", { write: () => process.exit(3) }),
    hangs: variant("never returns", {
      write: () => {
        for (;;);
      },
    }),
    "eats-memory": variant("fills the heap", {
      write: () => {
        // Arrays of numbers are kept in the heap; beyond its limit V8 ends the process. The collector need not
        // look into those of fractions, so that it comes to that sooner.
        const kept = [];
        for (;;) kept.push(new Array(1e6).fill(kept.length + 0.5));
      },
    }),
    loses: variant("drops a field", { read: () => ({}) }),
    "loses-later": variant("drops its data once it is warm", {
      read: (bytes) => (++calls > 5000 ? { n: 1 } : JSON.parse(bytes.toString())),
    }),
    overwrites: variant("returns one buffer over and over", {
      write: (value) => {
        const text = JSON.stringify({ ...value, call: calls++ });
        shared.fill(32);
        shared.write(text);
        return shared.subarray(0, 40);
      },
      read: (bytes) => {
        const { call, ...value } = JSON.parse(bytes.toString());
        return value;
      },
    }),
    throws: variant("throws", {
      write: () => {
        throw new TypeError("no such luck");
      },
    }),
    refuses: {
      summary: "declares a hole",
      bind: () => {
        throw new UnsupportedError("numbers are not letters");
      },
    },
  },
});
