import { isToldElsewhere } from "../model/errors.ts";
import { errorLine } from "../model/one-line.ts";
import { EXIT, processIo } from "./io.ts";
import { main, toldError } from "./program.ts";

let done = false;

/** Ends the process at once. */
function end(code: number): never {
  done = true;
  process.exit(code);
}

// A reader that has seen enough, such as `head`, closes the pipe: that is no error.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code === "EPIPE") end(EXIT.ok);
  process.stderr.write(`error: standard output: cannot be written to (${error.code})\n`);
  end(EXIT.usage);
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
// What nobody waits for, such as a promise that a plugin forgot, is told in a line as everything else is.
for (const event of ["uncaughtException", "unhandledRejection"]) {
  process.on(event, (error: unknown) => isToldElsewhere(error) || end(toldError(error, io)));
}
// Node has two lines for a warning, and one for each of its own experiments.
process.removeAllListeners("warning").on("warning", (warning) => {
  if (warning.name !== "ExperimentalWarning") io.tell(`warning: ${errorLine(warning)}\n`);
});
const code = await main(process.argv.slice(2), io);
// What nobody waits for comes up before the next turn.
await new Promise((resolve) => setImmediate(resolve));
// A plugin may have left a timer or a socket open.
io.whenPrinted(() => end(code));
