import { readFileSync } from "node:fs";
import { Command, CommanderError } from "commander";
import { WirebenchError } from "../model/errors.ts";
import { errorLine, oneLine } from "../model/one-line.ts";
import { ownFile } from "../model/package-files.ts";
import { areStacksShown, showStack } from "../runtimes/launch/stacks.ts";
import { addCommands } from "./commands.ts";
import { printFullHelp, shortenHelp } from "./help.ts";
import { Interrupted } from "./interrupt.ts";
import { type Done, EXIT, type Invocation, type Io, invocation } from "./io.ts";

/**
 * Runs one command line and returns its exit code. Commands are loaded when they are called: `--help` should
 * not wait for the libraries that are measured.
 * @param argv the words after `wirebench`
 */
export async function main(argv: readonly string[], io: Io): Promise<number> {
  let code: number = EXIT.ok;
  const done: Done = async (answered) => {
    code = (await answered) ?? EXIT.ok;
  };
  try {
    await program(invocation(argv, io), done).parseAsync(argv, { from: "user" });
    return code;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.ok : EXIT.usage;
    if (error instanceof Interrupted) {
      io.tell("interrupted before anything was measured\n");
      return EXIT.interrupted;
    }
    return toldError(error, io);
  }
}

/** Tells an error in a line, and returns the exit code that it deserves. */
export function toldError(error: unknown, io: Pick<Io, "tell">): number {
  showStack(error);
  if (error instanceof WirebenchError) {
    io.tell(`error: ${oneLine(error.message)}\n`);
    return EXIT.usage;
  }
  const where = areStacksShown() ? "" : "; WIREBENCH_STACK=1 shows where";
  io.tell(`error: ${errorLine(error)}: nothing in wirebench or in a plugin expects this${where}\n`);
  return EXIT.unexpected;
}

function program(io: Invocation, done: Done): Command {
  const root = new Command("wirebench")
    .description(
      "Which wire format, and which library for it, should your program use? Measured on your data and your machine.",
    )
    .version(ownVersion())
    .exitOverride()
    .helpCommand(false)
    // Help goes where every answer goes. An error has one line, also where commander puts a suggestion on a second.
    .configureOutput({
      writeOut: (text) => io.print(text),
      writeErr: (text) => io.tell(text),
      outputError: (text, write) => write(`${oneLine(text)}${commandsAfter(text)}\n`),
    })
    .showSuggestionAfterError()
    .hook("preAction", (_, command) => expectNames(command));
  shortenHelp(root);
  const commandsAfter = (error: string): string =>
    /^error: unknown command '[^']*'$/.test(error.trim())
      ? `, expected one of ${root.commands.map((command) => command.name()).join(", ")}`
      : "";
  addCommands(root, io, done);
  root
    .command("help [command]")
    .description("all that a command does, and all of its options")
    .action((name?: string) => {
      const command = root.commands.find((one) => one.name() === name);
      if (name !== undefined && command === undefined) root.error(`error: unknown command '${name}'`);
      printFullHelp(command ?? root);
    });
  return root;
}

/** Ends a command that is given no name of a file, which a variable of the shell is that was not set. */
function expectNames(command: Command): void {
  if (command.args.includes("")) command.error("error: an argument is empty");
  for (const option of command.options) {
    const given: unknown = command.getOptionValue(option.attributeName());
    if (/<(file|folder)>/.test(option.flags) && [given].flat().includes(""))
      command.error(`error: ${option.long}: expected a name, got nothing`);
  }
}

function ownVersion(): string {
  return (JSON.parse(readFileSync(ownFile("package.json"), "utf8")) as { version: string }).version;
}
