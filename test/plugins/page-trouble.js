// What a page can do to whoever measures in it: each variant is one trouble, met when a message is written.
import { compileVisitor, defineCodec, direct } from "wirebench";

/** A codec that writes JSON after its trouble. */
function trouble(summary, meet) {
  return {
    summary,
    bind: ({ schema }) =>
      direct({
        write: (value) => {
          meet();
          return new TextEncoder().encode(JSON.stringify(value));
        },
        read: (bytes) => JSON.parse(new TextDecoder().decode(bytes)),
        visit: compileVisitor(schema),
      }),
  };
}

export default defineCodec({
  format: "json",
  ...trouble("hangs", () => {
    for (;;);
  }),
  variants: {
    rejects: trouble("leaves a rejection behind", () => {
      Promise.reject(new Error("nobody waits for this"));
    }),
    throws: trouble("throws when nobody listens", () => {
      queueMicrotask(() => {
        throw new Error("thrown later");
      });
    }),
    prints: trouble("says what is no message", () => {
      globalThis.postMessage({ line: "no message" });
    }),
    process: trouble("asks for what only Node has", () => {
      process.hrtime();
    }),
    none: trouble("has no trouble", () => {}),
  },
});
