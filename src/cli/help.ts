/** Help in two lengths: `COMMAND --help` has what one needs and fits a screen, `help COMMAND` has everything. */
import { type Command, Help, type Option } from "commander";

const rareOptions = new WeakSet<Option>();
const inFull = new WeakSet<Command>();

/** Options that only `help COMMAND` has. */
export function rare(...options: readonly Option[]): readonly Option[] {
  for (const option of options) rareOptions.add(option);
  return options;
}

/** Columns of help where the terminal has no width of its own, as commander has it. */
const COLUMNS = 80;

/**
 * Text below the options, of which `COMMAND --help` has the first paragraph. Paragraphs that are not indented are wrapped as the
 * options are.
 */
export function notes(text: string): (context: { readonly command: Command }) => string {
  const [examples = "", ...prose] = text.split(/(?<=\S\n)\n/);
  return ({ command }) => {
    if (!inFull.has(command)) return examples;
    const help = command.createHelp();
    const columns = process.stdout.columns ?? COLUMNS;
    const wrapped = prose.map((one) => `${help.boxWrap(one.trim().replaceAll("\n", " "), columns)}\n`);
    return [examples, ...wrapped].join("\n");
  };
}

/** Makes the help of a program, and of the commands that are added to it later, short. */
export function shortenHelp(root: Command): void {
  root.configureHelp({
    visibleOptions(command) {
      return shownOptions(this as Help, command);
    },
    optionDescription(option) {
      return Help.prototype.optionDescription.call(this, option).replace(" (default: none)", "");
    },
    subcommandTerm: (command) => `${command.name()} ${argumentsOf(command)}`.trim(),
  });
}

/** Prints all help of a command, and ends as `--help` does. */
export function printFullHelp(command: Command): never {
  inFull.add(command);
  return command.help();
}

function shownOptions(help: Help, command: Command): Option[] {
  const all = Help.prototype.visibleOptions.call(help, command);
  const shown = inFull.has(command) ? all : all.filter((option) => !rareOptions.has(option));
  const hidden = all.length - shown.length;
  const last = shown.find((option) => option.long === "--help");
  if (last !== undefined && hidden > 0)
    last.description = `this help; \`wirebench help ${command.name()}\` has ${hidden} more options`;
  return shown;
}

function argumentsOf({ registeredArguments }: Command): string {
  return registeredArguments
    .map((one) => `${one.name()}${one.variadic ? "..." : ""}`)
    .map((name, index) => (registeredArguments[index]!.required ? `<${name}>` : `[${name}]`))
    .join(" ");
}
