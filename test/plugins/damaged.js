// A codec of JSON that goes wrong in each way with bytes that are no JSON. It calls itself a library's.
import { compileVisitor, defineCodec, direct } from "wirebench";

function variant(onDamage) {
  return {
    summary: "goes wrong with damaged bytes",
    bind: ({ schema }) =>
      direct({
        write: (value) => Buffer.from(JSON.stringify(value)),
        read: (bytes) => {
          try {
            return JSON.parse(bytes.toString());
          } catch (error) {
            return onDamage(error, bytes);
          }
        },
        visit: compileVisitor(schema),
        verify: (bytes) => void JSON.parse(bytes.toString()),
      }),
  };
}

/** Microseconds of processor time. */
function used() {
  const { user, system } = process.cpuUsage();
  return user + system;
}

let calls = 0;

export default defineCodec({
  format: "json",
  library: "node",
  ...variant((error) => {
    throw error;
  }),
  variants: {
    // Only one case does so, in the midst of others.
    dies: variant((error, bytes) => {
      if (bytes.length === 5) process.abort();
      throw error;
    }),
    // It is not the case's: alone it does no harm.
    wears: variant((error) => {
      if (++calls === 8) process.abort();
      throw error;
    }),
    hangs: variant((_, bytes) => {
      while (bytes.length === 5);
    }),
    hoards: variant(() => {
      for (const kept = []; ; ) kept.push(new Array(1e6).fill(kept.length));
    }),
    outside: variant(() => new Uint8Array(64 * 2 ** 20).fill(1)),
    dawdles: variant(() => {
      for (const end = used() + 80_000; used() < end; );
    }),
  },
});
