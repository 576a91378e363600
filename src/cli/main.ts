import { EXIT, processIo } from "./io.ts";
import { main } from "./program.ts";

let done = false;

// A reader that has seen enough, such as `head`, closes the pipe: that is no error.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  done = true;
  if (error.code === "EPIPE") process.exit(EXIT.ok);
  process.stderr.write(`error: standard output: cannot be written to (${error.code})\n`);
  process.exit(EXIT.usage);
});
// Nobody reads the progress any more; the work goes on.
process.stderr.on("error", () => {});

// A plugin that never finishes loading, or that ends the process, leaves the command undone.
process.on("exit", () => {
  if (done) return;
  process.stderr.write("error: the process ended before the command was done: does a plugin wait or exit?\n");
  process.exitCode = EXIT.usage;
});

const io = processIo();
const code = await main(process.argv.slice(2), io);
// A plugin may have left a timer or a socket open.
io.whenPrinted(() => {
  done = true;
  process.exit(code);
});
