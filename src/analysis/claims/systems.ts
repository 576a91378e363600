/** What stands for the published systems: the codecs of this project, and the originals. */
import type { Side } from "../../model/records/claims.ts";
import type { System } from "./published.ts";

/** A system's name in documents, its codec, and the names of its originals, the one that is preferred first. */
interface Stands {
  readonly title: string;
  readonly codec: string;
  /** Without the language and the version that stand behind it in a row's name: `protobuf (C++ 3.21)`. */
  readonly natives: readonly string[];
}

/** By the name of the system. */
export const SYSTEMS: Readonly<Record<System, Stands>> = {
  protobuf: { title: "protobuf", codec: "protobufjs", natives: ["protobuf"] },
  flatbuffers: { title: "FlatBuffers", codec: "flatbuffers", natives: ["flatbuffers"] },
  "raw-struct": { title: "raw struct", codec: "raw-struct", natives: ["raw-struct"] },
  capnp: { title: "Cap'n Proto", codec: "capnp-ts", natives: ["capnp"] },
  etf: { title: "terms", codec: "erlang-etf:record", natives: ["term_to_binary:record"] },
  "etf-z6": { title: "terms, zlib 6", codec: "erlang-etf:record-z6", natives: ["term_to_binary:record-z6"] },
  "etf-z9": { title: "terms, zlib 9", codec: "erlang-etf:record-z9", natives: ["term_to_binary:record-z9"] },
  pickle: { title: "pickle", codec: "python-pickle:1", natives: ["pickle:1"] },
  amf3: { title: "AMF3", codec: "amf3", natives: ["pyamf", "py3amf"] },
  struct: { title: "struct", codec: "python-struct", natives: ["struct"] },
};

/** What of a row says whose it is. */
export interface Row {
  readonly codec: string;
  /** Of a native one: the name of its program. */
  readonly program?: string;
}

/** Whether a row of a record is that of a native program. */
export function isNative({ program }: Row): boolean {
  return program !== undefined;
}

/** How rows of the Python that the published figures are of end. */
const PYTHON_27 = "(CPython 2.7)";

function systemOf({ codec }: Row): string {
  return codec.split(" (")[0]!;
}

/** The name under which a system's codec or original is in some rows; undefined where it is not. */
export function nameIn(rows: readonly Row[], system: System, side: Side): string | undefined {
  const { codec, natives } = SYSTEMS[system];
  const originals = rows.filter(isNative);
  if (side === "typescript") return rows.find((row) => row.codec === codec && !isNative(row))?.codec;
  // PyAMF, which is that of Python 2.7, is compared with what that Python has.
  const isPublished = originals.some((row) => systemOf(row) === "pyamf");
  for (const name of natives) {
    const own = originals.filter((row) => systemOf(row) === name);
    const found = (isPublished ? own.find((row) => row.codec.endsWith(PYTHON_27)) : undefined) ?? own[0];
    if (found !== undefined) return found.codec;
  }
  return undefined;
}

/** Why there is nothing of a system. */
export function unmeasured(system: System, side: Side): string {
  const { codec, title } = SYSTEMS[system];
  return `${side === "typescript" ? codec : `the original of ${title}`} was not measured`;
}
