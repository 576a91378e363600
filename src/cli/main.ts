import { EXIT } from "./exit-code.ts";
import { runCli } from "./program.ts";

// A reader that has seen enough, such as `head`, closes the pipe: that is no error.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code !== "EPIPE") throw error;
  process.exit(EXIT.ok);
});

const code = await runCli(process.argv.slice(2));
// A plugin may have left a timer or a socket open. The callback comes once all output is written.
process.stdout.write("", () => process.exit(code));
