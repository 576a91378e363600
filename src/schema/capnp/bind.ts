import type { Message, Struct } from "capnp-ts";
import { unpackCapnp, verifyCapnp } from "../../formats/capnp-verifier/index.ts";
import { type Binding, bytesOf, type Encoded } from "../../model/codec.ts";
import type { Dataset } from "../../model/dataset.ts";
import { WirebenchError } from "../../model/errors.ts";
import type { MessageSelection, NumberPlace, NumberWriter, PartialReader } from "../../model/selection.ts";
import { absentPlace, narrowedVisits, visitsTo } from "../generate/narrowed.ts";
import { capnpLayout } from "../layout/capnp.ts";
import { deciding } from "../values/transcode.ts";
import { type CapnpReads, capnpCode, narrowedVisit, olderReads, overwriteCode } from "./code.ts";
import type { CapnpLibrary } from "./library.ts";
import { changeInPlace, messageMaker, openMessage } from "./message.ts";
import { runtimeOf } from "./runtime.ts";
import { rootShape } from "./shape.ts";

/**
 * Binds a dataset to a library of Cap'n Proto. What is built is a Message that is filled; what is read is the root of one
 * that is opened.
 */
export function bindCapnp(
  library: CapnpLibrary,
  dataset: Dataset,
  packed: boolean,
): Binding<Message, Struct> {
  const { schema, int64 } = dataset;
  const layout = capnpLayout(schema);
  const shape = rootShape(schema, layout, int64);
  const runtime = runtimeOf(library);
  const code = capnpCode(layout, int64, runtime);
  const maker = messageMaker(library);
  let older: CapnpReads | undefined;

  const read = (bytes: Encoded): Struct =>
    openMessage(library, bytesOf(bytes, "capnp"), packed).getRoot(code.ReadRoot);

  /**
   * The library throws where a struct is shorter than its schema says, and the other code reads it. What it throws
   * then cannot be told from other errors, as its message may fail on its way to being put together (capnp-ts 0.9.3).
   * Where the bytes were at fault, the other code throws as well.
   */
  function reading<Result>(
    root: Struct,
    how: (root: Struct) => Result,
    other: () => (root: Struct) => Result,
  ): Result {
    try {
      return how(root);
    } catch (error) {
      if (error instanceof WirebenchError) throw error;
      return other()(root);
    }
  }

  function olderCode(): CapnpReads {
    older ??= olderReads(layout, int64, runtime);
    return older;
  }

  function partialReader(selection: MessageSelection): PartialReader<Encoded> {
    const narrowed = narrowedVisits(schema, selection);
    const visit = narrowedVisit(layout, narrowed, false, runtime);
    let olderVisit: typeof visit | undefined;
    const other = (): typeof visit => {
      olderVisit ??= narrowedVisit(layout, narrowed, true, runtime);
      return olderVisit;
    };
    return (bytes) => reading(read(bytes), visit, other);
  }

  function numberWriter(place: NumberPlace): NumberWriter {
    const visits = visitsTo(schema, place);
    const { ReadRoot, overwrite } = overwriteCode(
      layout,
      visits,
      place,
      int64,
      absentPlace("capnp", place),
      runtime,
    );
    return (bytes, value) => changeInPlace(library, bytes, ReadRoot, (root) => overwrite(root, value));
  }

  return deciding("capnp", dataset, {
    build(value) {
      const message = maker.make();
      code.build(value, message.initRoot(code.WriteRoot));
      maker.note(message);
      return message;
    },
    write: (message) => new Uint8Array(packed ? message.toPackedArrayBuffer() : message.toArrayBuffer()),
    read,
    plain: (root) => reading(root, code.plain, () => olderCode().plain),
    access: (bytes) => reading(read(bytes), code.visit, () => olderCode().visit),
    reader: partialReader,
    // What takes fewer bytes packed would have to move.
    ...(packed ? {} : { writer: numberWriter, framing: "capnp-stream" as const }),
    text: "utf8",
    direct: { build: false, plain: false },
    verify(bytes) {
      const given = bytesOf(bytes, "capnp");
      const { unpackedBytes, heapBytes } = limitsFor(given.length);
      const unpacked = packed ? unpackCapnp(given, { unpackedBytes }) : given;
      // Each word once, and an element without content as often as there is heap for its object: no tree needs more.
      const traversalWords = Math.ceil(unpacked.length / 8) + Math.ceil(heapBytes / LEAST_HEAP_BYTES);
      verifyCapnp(unpacked, shape, { heapBytes, traversalWords });
    },
  });
}

/**
 * What bytes from outside may become, by how many they are. A word of 64 bools as an object takes 568 bytes, 71
 * for each of its own; no other value takes more. Text is put together by the library from its characters at 32
 * bytes each, so that beyond 1 GiB a process may end.
 */
function limitsFor(bytes: number): { unpackedBytes: number; heapBytes: number } {
  return {
    unpackedBytes: Math.min(64 * MIB, 4 * MIB + 32 * bytes),
    heapBytes: Math.min(1024 * MIB, 8 * MIB + 72 * bytes),
  };
}

const MIB = 2 ** 20;

/** Heap of an element without content: an object, and a place in its list. */
const LEAST_HEAP_BYTES = 64;
