import { readFileSync } from "node:fs";
import { Command, CommanderError } from "commander";
import { WirebenchError } from "../model/errors.ts";
import { addCommands } from "./commands.ts";
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
    if (error instanceof WirebenchError) {
      io.tell(`error: ${error.message.replaceAll("\n", " ")}\n`);
      return EXIT.usage;
    }
    io.tell(`${error instanceof Error ? error.stack : error}\nThis is a bug in wirebench.\n`);
    return EXIT.failed;
  }
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
      outputError: (text, write) => write(`${text.trim().replace(/\n+/g, " ")}${commandsAfter(text)}\n`),
    })
    .showSuggestionAfterError();
  const commandsAfter = (error: string): string =>
    /^error: unknown command '[^']*'$/.test(error.trim())
      ? `, expected one of ${root.commands.map((command) => command.name()).join(", ")}`
      : "";
  addCommands(root, io, done);
  root
    .command("help [command]")
    .description("what a command does, and its options")
    .action((name?: string) => {
      const command = root.commands.find((one) => one.name() === name);
      if (name !== undefined && command === undefined) root.error(`error: unknown command '${name}'`);
      (command ?? root).help();
    });
  return root;
}

function ownVersion(): string {
  const file = new URL("../../package.json", import.meta.url);
  return (JSON.parse(readFileSync(file, "utf8")) as { version: string }).version;
}
