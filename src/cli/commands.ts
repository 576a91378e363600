/** The commands and their options. The work of each is loaded when it is called. */
import { type Command, Option } from "commander";
import { notes, rare } from "./help.ts";
import { endedAtBeginning } from "./interrupt.ts";
import type { Done, Invocation } from "./io.ts";
import { addIpcCommand } from "./ipc-commands.ts";
import {
  choice,
  codec,
  codecs,
  collectBandwidths,
  commandOf,
  counters,
  cxxflags,
  datasets,
  json,
  libraries,
  native,
  natsFiles,
  noEval,
  operations,
  plugins,
  profile,
  runtimes,
  seed,
  serving,
  share,
  single,
  subject,
  summary,
  timeout,
  whole,
} from "./options.ts";
import { addPublishedCommands } from "./published-commands.ts";

/** Adds every command but `help`, in the order of the help. */
export function addCommands(root: Command, io: Invocation, done: Done): void {
  const add = (signature: string, summary: string, options: readonly Option[]): Command =>
    commandOf(root, signature, summary, options);

  add("run", "measure codecs on the address book, or on your own data", [
    codecs(),
    ...datasets(),
    ...rare(...libraries(), runtimes(), noEval(), ...serving(), native(), cxxflags()),
    json(),
    plugins(),
    operations(),
    ...rare(new Option("--parts", "measure the parts of encode and decode too: build, write, read, plain")),
    profile("how much time for how much certainty").default("standard"),
    ...rare(
      choice("--isolate <what>", "what has a process of its own: all operations of a codec, or each cell", [
        "codec",
        "cell",
      ]).default("codec"),
      whole(
        "--cores <n>",
        "pin each measuring process to so many cores (Linux); a program on one core is --cores 1",
      ),
    ),
    new Option("--baseline <codec>", "codec that ratios are to (default: json)"),
    ...rare(
      new Option(
        "--threshold <share>",
        "differences below this share are not called differences (default: 1%)",
      ).argParser(share),
      choice("--jit <what>", "shared: measure in a process that runs every codec and shape too", [
        "isolated",
        "shared",
      ]).default("isolated"),
    ),
    new Option("--bandwidth <bits>", "link that a message goes over, as 10M or 2.5Gbit/s; repeatable")
      .argParser(collectBandwidths)
      .default([], "10M, 100M, 1G, 10G"),
    single("--goal <goal>", "what the answer begins with: size, speed, latency@100M, memory or cold-start"),
    ...rare(
      choice(
        "--study <what>",
        "size: sweep the sizes of each dataset; reads: how much of a message is read; int64: numbers, bigints and text; stream: messages in chunks; stall: when a worker pays",
        ["size", "reads", "int64", "stream", "stall"],
      ),
      counters(),
      seed(),
      single("--shard <i/n>", "carry out every n-th block only, from the i-th on, as 2/5: see merge"),
      single(
        "--on <server>",
        "hand the blocks out to the machines at a NATS server, as nats://host:4222: see work",
      ),
      whole("--machines <number>", "with --on, how many machines to wait for (default: 1)"),
      ...natsFiles(),
      timeout(),
    ),
    new Option(
      "--out <folder>",
      "where run.json, report.md, report.html and plots go (default: a new results/<UTC time>-<host>)",
    ),
    ...rare(summary()),
    new Option("--open", "open report.html in the browser when the run is over"),
  ])
    .argument("[files...]", FILES)
    .action(async (files, flags) => {
      await done(
        endedAtBeginning(async () => (await import("./commands/run.ts")).run({ ...flags, files }, io)),
      );
    });

  add("work", "offer this machine to the runs of others: see run --on", [
    single("--nats <server>", "NATS server with JetStream, as nats://host:4222").makeOptionMandatory(),
    ...rare(...natsFiles()),
    new Option("--once", "end after one run (default: wait for the next)"),
  ])
    .addHelpText("after", notes(WORKING))
    .action(async (flags) => {
      await done((await import("./commands/work.ts")).work(flags, io));
    });

  add("verify", "round trips and sizes of every codec; nothing is timed", [
    codecs(),
    ...datasets(),
    ...rare(...libraries(), runtimes(), noEval()),
    json(),
    plugins(),
    ...rare(timeout()),
  ])
    .argument("[files...]", FILES)
    .action(async (files, flags) => {
      await done(
        endedAtBeginning(async () => (await import("./commands/verify.ts")).verify({ ...flags, files }, io)),
      );
    });

  add("facts", "what needs no timing: odd values, changes of your schema, and what libraries cost a page", [
    codecs("@published, or @node for your own data"),
    ...datasets(),
    plugins(),
    choice("--only <table>", "one table", ["fidelity", "evolution", "hostile", "libraries"]),
    single("--why <row>", "print what was given, the message and what came back of one row of the table"),
    new Option("--markdown", "print Markdown").conflicts("json"),
    json(),
  ])
    .argument("[files...]", FILES)
    .action(async (files, flags) => {
      await done(
        endedAtBeginning(async () => (await import("./commands/facts.ts")).facts({ ...flags, files }, io)),
      );
    });

  add("native <what>", "the originals in C++, Python and Erlang: list, build or verify them", [
    single("--folder <folder>", "programs of your own in place of those of wirebench"),
    cxxflags(),
    timeout(),
    json(),
  ])
    .addHelpText("after", notes(NATIVE))
    .action(async (what, flags) => {
      await done((await import("./commands/native.ts")).native(what, flags, io));
    });

  addIpcCommand(root, io, done);

  addPublishedCommands(root, io, done);

  add("list [kind]", "list codecs, datasets, operations, reports and runtimes", [json(), plugins()]).action(
    async (kind, flags) => {
      await done((await import("./commands/list.ts")).list(kind, flags, io));
    },
  );

  add("encode [file]", "a value as JSON (a file, or - for standard input) to bytes on standard output", [
    ...subject(),
    plugins(),
    codec(),
  ]).action(async (file, flags) => {
    await done((await import("./commands/transcode.ts")).encode(file, flags, io));
  });

  add("decode [file]", "bytes (a file, or standard input) to the value as JSON on standard output", [
    ...subject(),
    plugins(),
    codec(),
    new Option("--enum-numbers", "print enums as numbers rather than names"),
  ]).action(async (file, flags) => {
    await done((await import("./commands/transcode.ts")).decode(file, flags, io));
  });

  add("inspect", "what each byte of a message is, and where its bytes go", [
    ...subject(),
    plugins(),
    codecs("none"),
    new Option("--totals", "only the sums, by role and by field; of several codecs side by side"),
    new Option("--all", "show every element of every list"),
    choice("--format <name>", "how it is shown (default: text)", ["text", "html", "json"]),
    json(),
  ])
    .argument(
      "[files...]",
      "without --dataset and --schema a file of JSON; then the bytes of a message, or - (two are compared)",
    )
    .addHelpText("after", notes(INSPECTING))
    .action(async (words, flags) => {
      await done((await import("./commands/inspect.ts")).inspect(words, flags, io));
    });

  add("schema", "print a schema in another schema language", [
    ...subject(),
    plugins(),
    choice("--to <language>", "schema language", [
      "proto",
      "fbs",
      "capnp",
      "header",
      "avro",
      "json-schema",
    ]).default("proto"),
  ])
    .argument("[files...]", FILES)
    .action(async (files, flags) => {
      await done((await import("./commands/transcode.ts")).schema({ ...flags, files }, io));
    });

  add("report <record>", "render a record, or that in a folder: also what a killed run measured", [
    plugins(),
    new Option("--format <name>", "report, as list reports names them").default("markdown"),
    summary(),
  ]).action(async (file, flags) => {
    await done((await import("./commands/report.ts")).report(file, flags, io));
  });

  add("compare", "what is faster or slower: two records, or two versions measured together", [
    single("--base <what>", "measure, paired with --head: a package, a folder, a .tgz or a codec's file"),
    single("--head <what>", "the new side: msgpackr@2.1.3, ./my-checkout, new/my-codec.js"),
    new Option(
      "--fail-if-slower <share>",
      "exit with 1 if a cell is slower by more, as 5% or 0.05",
    ).argParser(share),
    new Option(
      "--fail-if-undecided <share>",
      "exit with 3 if a cell may be slower by more, for all that is known",
    ).argParser(share),
    new Option(
      "--fail-if-shifted <share>",
      "exit with 1 if all cells together, in the middle, are slower by more",
    ).argParser(share),
    new Option(
      "--threshold <share>",
      "what is closer is not called different (default: as in the records, or 1%)",
    ).argParser(share),
    ...rare(
      new Option("--absolute", "of records: compare times as they are, with what the machine did in them"),
      new Option("--force", "compare records of different processors or engines too"),
    ),
    new Option("--format <name>", "text, markdown, json or github, or a report of your own (default: text)"),
    codecs("those of the package or file, without variants"),
    ...rare(...datasets(), json(), plugins(), operations()),
    profile("how much time for how much certainty (default: standard)"),
    ...rare(counters(), seed(), timeout()),
    new Option("--out <folder>", "where the paired run goes (default: a new results/<UTC time>-<host>)"),
    ...rare(summary()),
  ])
    .argument(
      "[records...]",
      "the run.json, or its folder, before and after; of several, the head's after --",
    )
    .addHelpText("after", notes(COMPARING))
    .action(async (words, flags) => {
      const records = { words, after: wordsAfterDashes(root) };
      await done(
        endedAtBeginning(async () => (await import("./commands/compare.ts")).compare(records, flags, io)),
      );
    });

  add("merge", "one record of several runs: shards of one, or runs on several machines", [
    json(),
    new Option("--out <folder>", "where the merged record goes (default: a new results/<UTC time>-<host>)"),
    summary(),
  ])
    .argument("<records...>", "the run.json, or its folder, of each")
    .addHelpText("after", notes(MERGING))
    .action(async (records, flags) => {
      await done((await import("./commands/merge.ts")).merge(records, flags, io));
    });

  add("history", "the same cells in runs one after the other, as tables or as a page with plots", [
    choice("--format <name>", "what is printed", ["markdown", "html"]).default("markdown").conflicts("json"),
    json(),
  ])
    .argument("<records...>", "the run.json, or its folder, of each, in any order")
    .action(async (records, flags) => {
      await done((await import("./commands/report.ts")).history(records, flags, io));
    });

  add("doctor", "say whether this machine can measure, and prove the tool", [
    json(),
    whole("--trials <number>", "runs in a row, of about 40 s each at standard (default: 4)"),
    new Option("--no-load", "leave out the second row of trials, which runs beside a busy core"),
    profile("that of the runs whose certainty is in question").default("standard"),
    single("--runtime <name>", "what the trials measure in, as bun or chromium (default: as in run)"),
    seed(),
    new Option("--out <folder>", "where doctor.json and report.md go (default: nowhere)"),
  ]).action(async (flags) => {
    await done(endedAtBeginning(async () => (await import("./commands/doctor.ts")).doctor(flags, io)));
  });
}

const FILES = "your data: files, folders (not those below), patterns; a schema among them, or it is inferred";

/** How many words stand after `--`, which commander takes out of them; undefined where there is none. */
function wordsAfterDashes(root: Command): number | undefined {
  // Commander has the words as they were typed, but does not say so in its types.
  const { rawArgs } = root as Command & { readonly rawArgs: readonly string[] };
  const at = rawArgs.indexOf("--");
  return at < 0 ? undefined : rawArgs.length - at - 1;
}

const INSPECTING = `
  wirebench inspect -c flatbuffers -d tellist
  wirebench inspect -c protobufjs --schema order.proto order.bin
  wirebench inspect -c '*' --totals people.json    where the bytes go, by format
  wirebench inspect -c avsc --schema order.proto a.bin b.bin   where they differ
  wirebench inspect -c amf3 -d tellist --format html > page.html

Damaged bytes are shown as far as they can be read, with the reason at the first bad byte, and exit code 1.
`;

const NATIVE = `
  wirebench native list     what each measures, what is missing for it here, and
                            what is not built
  wirebench native build    builds them into the cache folder of the user
  wirebench native verify   builds them; their bytes must be the codecs'

They are measured by run --native, ipc --native, classic --native and claims.
A program is built anew where its source, its compiler, its library or the flags changed.
`;

const WORKING = `
  wirebench work --nats nats://queue.example:4222             on each machine
  wirebench run --on nats://queue.example:4222 --machines 3   on any, with run's
                                                              other options

A machine measures one block at a time, which is every codec once. It runs only the codecs, datasets and
operations of its own wirebench: schemas and values come over the wire, code never does. Whoever may use that
NATS account may make it measure. Ctrl-C gives the block back.
`;

const COMPARING = `
  wirebench compare before/run.json after/run.json
  wirebench compare --fail-if-slower 10% base1 base2 base3 -- head
  wirebench compare --base msgpackr@1.11.0 --head msgpackr@2.1.3

A cell is slower or faster where the difference is beyond chance (p < 0.05 after Holm) and beyond the
gate: the threshold, or the noise that the runs measured in themselves where nothing else tells it. It is the same
where the whole 95 % interval is within the threshold, else undecided. Sizes are compared exactly.

Records: the machine is seldom as fast in one run as in another. From six common cells of three codecs on,
the median of all ratios is taken off each; with fewer, ratios to the baseline are compared. --absolute takes
nothing off. What runs of equal code differ by beside that is estimated from the cells. Several runs of the
base, with those of the head after --, measure it.

--fail-if-slower exits with 1 where a cell is slower by that verdict and its ratio is beyond 1 + share, or
where it failed and did not before. --fail-if-undecided exits with 3 where a cell is undecided and its 95 %
interval reaches beyond 1 + share: it may be slower by more; or where it failed and did not before, unless
--fail-if-slower exits with 1 for that. --fail-if-shifted exits with 1 where the median of all ratios,
as they were measured, is beyond 1 + share: what moves most cells is taken off each of them.

Refused are records whose data of one name differs, and, without --force, those whose CPU model, platform,
Node's major version or V8's version (12.4 of 12.4.254) differs. Cores, governor, the system, other versions,
flags, profile, isolation, jit and threshold are warnings; another version of a library is noted.

--base and --head measure two versions of a library (name@version is installed by npm into a temporary
folder, a name alone is the installed one), or two files with a codec, in the same blocks of one run. The
options from -c on are for that; msgpackr@2.1.3 measures every codec of wirebench that uses msgpackr.
`;

const MERGING = `
  wirebench run --seed 7 --shard 1/2 --out a     on one machine
  wirebench run --seed 7 --shard 2/2 --out b     on another
  wirebench merge a b --out all

Merged are records with the same data, options, libraries and version of wirebench; seed, shard, timeout and
bandwidths may differ. A record that holds what another one holds is refused. Machines of one CPU model, platform,
engine, cores, governor and flags are pooled. Several kinds of machines are kept apart: each has its own times,
ratios are those of all, and a codec that is faster on one and slower on another is called so.
`;
