/**
 * A process that answers for one codec after the other, all variants of one, each row when it is asked for: a codec that ends it, or fills its memory, is
 * told from one that throws.
 */
import { Registry } from "../catalog/registry.ts";
import { type LibraryCopy, untriedReason } from "../model/codec.ts";
import type { Dataset } from "../model/dataset.ts";
import { defined } from "../model/defined.ts";
import { isToldElsewhere, reasonLine } from "../model/errors.ts";
import { useLibrary } from "../runtimes/node/library-copy.ts";
import { ASKED, expectCarried } from "./asked.ts";
import type { Answering, AskedCodec, FactCell } from "./cell.ts";
import { received } from "./received.ts";

/** What the coordinator says first, and then for each row. */
export type Request = Subject | { readonly table: Table; readonly row: number };

/** The codec and the data that a process is for. */
export interface Subject {
  readonly codec: string;
  /** Set where messages of another schema are read by the codec's own means for that. */
  readonly resolves: boolean;
  readonly plugins: readonly string[];
  readonly dataset: Dataset;
  /** Most bytes of a message that a cell shows, where that is more than it takes to know it by. */
  readonly shownBytes?: number;
  /** The copy of its library, where it is not the one that the codec's file imports. */
  readonly library?: LibraryCopy;
}

/** What is answered: that the codec carries the data, why not, or a cell where the row has one. */
export type Response =
  | { readonly ready: true }
  | { readonly refused: string }
  | { readonly cell: FactCell | undefined };

type Table = keyof typeof ASKED;

let asked:
  | { readonly codec: AskedCodec; readonly dataset: Dataset; readonly shownBytes?: number }
  | undefined;

/** What answers for a table, once it was asked for: to find its rows takes longer than to answer one. */
const answering = new Map<Table, Answering>();

/** Whether imports are led to the copy of the library, which all codecs of a process share. */
let isLed = false;

async function answer(request: Request): Promise<Response> {
  if ("row" in request) {
    if (asked === undefined) return { refused: "no codec was named" };
    const { table, row } = request;
    const cellOf = answering.get(table) ?? ASKED[table].of(asked.codec, asked.dataset, asked.shownBytes);
    answering.set(table, cellOf);
    return { cell: await cellOf(row) };
  }
  try {
    asked = undefined;
    answering.clear();
    if (request.library !== undefined && !isLed) useLibrary(request.library);
    isLed = true;
    const { resolve, ...plain } = await (await Registry.open(request.plugins)).codec(request.codec);
    const codec: AskedCodec = request.resolves && resolve !== undefined ? { ...plain, resolve } : plain;
    const dataset = received(request.dataset);
    await expectCarried(codec, dataset);
    asked = { codec, dataset, ...defined({ shownBytes: request.shownBytes }) };
    return { ready: true };
  } catch (error) {
    const why = reasonLine(error);
    return { refused: request.library === undefined ? why : untriedReason(request.library, why) };
  }
}

process.on("message", (request: Request) => {
  void answer(request).then((response) => process.send?.(response));
});
process.on("unhandledRejection", (reason) => {
  if (!isToldElsewhere(reason)) throw reason;
});
// Ctrl-C and `kill` reach the whole group; the coordinator decides what happens to its children.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => {});
