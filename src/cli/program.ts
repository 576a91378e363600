import { readFileSync } from "node:fs";
import { Command, CommanderError, Option } from "commander";
import { WirebenchError } from "../model/errors.ts";
import { compareCommand } from "./compare-command.ts";
import { doctorCommand } from "./doctor-command.ts";
import { EXIT } from "./exit-code.ts";
import { type Done, type Invocation, type Io, invocation } from "./io.ts";
import { ipcCommand } from "./ipc-command.ts";
import {
  codecOption,
  collectBandwidths,
  datasetOptions,
  jsonOption,
  once,
  operationOption,
  pluginOption,
  runtimeOption,
  seedOption,
  share,
  subjectOptions,
  timeoutOption,
} from "./options.ts";

/**
 * Runs one command line and returns its exit code. Commands are loaded when they are called: `--help` should
 * not wait for the libraries that are measured.
 * @param argv the words after `wirebench`
 */
export async function main(argv: readonly string[], io: Io): Promise<number> {
  const outcome = { code: EXIT.ok as number };
  try {
    await program(invocation(argv, io), outcome).parseAsync(argv, { from: "user" });
    return outcome.code;
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

function program(io: Invocation, outcome: { code: number }): Command {
  const done: Done = async (answered) => {
    outcome.code = (await answered) ?? EXIT.ok;
  };
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
  const add = (signature: string, summary: string): Command => root.command(signature).description(summary);

  const run = add("run", "measure codecs on the address book, or on your own data");
  pluginOption(jsonOption(runtimeOption(datasetOptions(codecOption(run)))))
    .addOption(operationOption())
    .option("--parts", "measure the parts of encode and decode too: build, write, read, plain")
    .addOption(
      new Option("--profile <name>", "how much time for how much certainty")
        .choices(["quick", "standard", "thorough"])
        .default("standard"),
    )
    .addOption(
      new Option("--isolate <what>", "what has a process of its own: all operations of a codec, or each cell")
        .choices(["codec", "cell"])
        .default("codec"),
    )
    .option("--baseline <codec>", "codec that ratios are to (default: json)")
    .addOption(
      new Option(
        "--threshold <share>",
        "differences below this share are not called differences (default: 1%)",
      ).argParser(share),
    )
    .addOption(
      new Option("--jit <what>", "shared: measure in a process that runs every codec and shape too")
        .choices(["isolated", "shared"])
        .default("isolated"),
    )
    .addOption(
      new Option("--bandwidth <bits>", "link that a message goes over, as 10M or 2.5Gbit/s; repeatable")
        .argParser(collectBandwidths)
        .default([], "10M, 100M, 1G, 10G"),
    )
    .addOption(
      new Option(
        "--study <what>",
        "size: sweep the sizes of each dataset; reads: sweep how much of a message is read",
      ).choices(["size", "reads"]),
    )
    .addOption(seedOption())
    .addOption(timeoutOption())
    .option(
      "--out <folder>",
      "where run.json, report.md and plots go (default: a new results/<UTC time>-<host>)",
    )
    .action(async (flags) => {
      await done((await import("./commands/run.ts")).run(flags, io));
    });

  const verify = add("verify", "prove that codecs carry the data: round trips and sizes, nothing is timed");
  pluginOption(jsonOption(runtimeOption(datasetOptions(codecOption(verify))))).action(async (flags) => {
    await done((await import("./commands/verify.ts")).verify(flags, io));
  });

  ipcCommand(
    add("ipc", "measure messages between processes: latency, throughput, stability, drops"),
    io,
    done,
  );

  const list = add("list [kind]", "list codecs, datasets, operations, reports and runtimes");
  pluginOption(jsonOption(list)).action(async (kind, flags) => {
    await done((await import("./commands/list.ts")).list(kind, flags, io));
  });

  const encode = add(
    "encode [file]",
    "a value as JSON (a file, or - for standard input) to bytes on standard output",
  );
  pluginOption(subjectOptions(encode))
    .requiredOption("-c, --codec <name>", "codec", once)
    .action(async (file, flags) => {
      await done((await import("./commands/encode.ts")).encode(file, flags, io));
    });

  const decode = add(
    "decode [file]",
    "bytes (a file, or standard input) to the value as JSON on standard output",
  );
  pluginOption(subjectOptions(decode))
    .requiredOption("-c, --codec <name>", "codec", once)
    .action(async (file, flags) => {
      await done((await import("./commands/decode.ts")).decode(file, flags, io));
    });

  const schema = add("schema", "print a schema in another schema language");
  pluginOption(subjectOptions(schema))
    .addOption(
      new Option("--to <language>", "schema language")
        .choices(["proto", "fbs", "capnp", "header"])
        .makeOptionMandatory(),
    )
    .action(async (flags) => {
      await done((await import("./commands/schema.ts")).schema(flags, io));
    });

  const report = add(
    "report <record>",
    "render a record, or that in a folder: also what a killed run measured",
  );
  pluginOption(report)
    .option("--format <name>", "report, as list reports names them", "markdown")
    .action(async (file, flags) => {
      await done((await import("./commands/report.ts")).report(file, flags, io));
    });

  compareCommand(
    add("compare", "what is faster or slower: two records, or two versions measured together"),
    io,
    done,
  );
  doctorCommand(add("doctor", "say whether this machine can measure, and prove the tool"), io, done);

  add("help [command]", "what a command does, and its options").action((name?: string) => {
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
