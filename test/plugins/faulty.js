// A codec that goes wrong once it has written some messages.
import { compileVisitor, defineCodec, direct } from "wirebench";

const WRITTEN = 300;

function variant(summary, goWrong) {
  return {
    summary,
    bind: ({ schema }) => {
      let written = 0;
      return direct({
        write: (value) => {
          const bytes = Buffer.from(JSON.stringify(value));
          written += 1;
          if (written > WRITTEN) goWrong(bytes);
          return bytes;
        },
        read: (bytes) => JSON.parse(bytes.toString()),
        visit: compileVisitor(schema),
      });
    },
  };
}

export default defineCodec({
  format: "json",
  ...variant("flips a bit of what it has written", (bytes) => {
    bytes[bytes.length >> 1] ^= 1;
  }),
  variants: {
    exit: variant("ends its process, or its thread", () => process.exit(3)),
  },
});
