import { Builder, ByteBuffer } from "flatbuffers";
import { type Binding, bytesOf, type Encoded } from "../../model/codec.ts";
import type { Dataset } from "../../model/dataset.ts";
import { compile } from "../../model/generated-code.ts";
import type { MessageSelection, NumberPlace, NumberWriter, PartialReader } from "../../model/selection.ts";
import type { Value } from "../../model/value.ts";
import { absentPlace, NARROWED_ROOT, narrowedVisits, visitsTo } from "../../schema/generate/narrowed.ts";
import { type FlatLayout, flatLayout } from "../../schema/layout/flatbuffers.ts";
import { refuseDepth } from "./depth.ts";
import { mutateFunction } from "./mutate.ts";
import { packFunctions } from "./pack.ts";
import { plainFunctions, plainScope } from "./plain.ts";
import { readerClasses, stringAt } from "./readers.ts";
import { verifierOf } from "./verifier.ts";
import { readerVisits, utf8At } from "./visit.ts";

/** An object of a generated class that reads the root table. */
type Reader = object;

interface Code {
  pack(builder: Builder, value: Value): number;
  root(bb: ByteBuffer): Reader;
  plain(reader: Reader): Value;
  visit(reader: Reader): number;
}

/** Binds the style that calls what flatc generates without its object API. A built message is its offset. */
export function bindBuilder(dataset: Dataset): Binding<number, Reader> {
  const layout = flatLayout(dataset.schema);
  const source = `${readerClasses(layout)}
${packFunctions(layout, dataset.int64)}
${plainFunctions(layout, dataset.int64)}
${readerVisits(layout)}
return { pack: pack0, root: (bb) => T0.getRoot(bb), plain: plain0, visit: visit0 };`;
  const code = compile<Code>(source, { ...plainScope, stringAt, utf8At, refuseDepth });
  const builder = new Builder();
  let unwritten = 0;
  const read = (bytes: Encoded): Reader => code.root(new ByteBuffer(bytesOf(bytes, "flatbuffers")));
  const binding: Binding<number, Reader> = {
    build(value) {
      builder.clear();
      unwritten = code.pack(builder, value);
      return unwritten;
    },
    write(root) {
      if (root !== unwritten)
        throw new Error("flatbuffers: a builder holds one message, which is written once");
      unwritten = 0;
      builder.finish(root);
      return builder.asUint8Array().slice();
    },
    read,
    plain: code.plain,
    access: (bytes) => code.visit(read(bytes)),
    reader: (selection) => partialReader(layout, dataset, selection),
    writer: (place) => numberWriter(layout, dataset, place),
    text: "utf8",
    writesOnce: true,
    direct: { build: false, plain: false },
    verify: verifierOf(layout, dataset),
  };
  if (layout.deep) for (const value of dataset.values) binding.build(value);
  return binding;
}

function partialReader(
  layout: FlatLayout,
  { schema }: Dataset,
  selection: MessageSelection,
): PartialReader<Encoded> {
  const source = `${readerClasses(layout)}
${readerVisits(layout, narrowedVisits(schema, selection))}
return (bb) => ${NARROWED_ROOT}(T0.getRoot(bb));`;
  const visit = compile<(bb: ByteBuffer) => number>(source, { stringAt, utf8At });
  return (bytes) => visit(new ByteBuffer(bytesOf(bytes, "flatbuffers")));
}

function numberWriter(layout: FlatLayout, { schema, int64 }: Dataset, place: NumberPlace): NumberWriter {
  const source = `${readerClasses(layout)}
${mutateFunction(layout, visitsTo(schema, place), place, int64)}
return mutate;`;
  const absent = absentPlace("flatbuffers", place);
  const mutate = compile<(bb: ByteBuffer, value: Value) => void>(source, { stringAt, absent });
  return (bytes, value) => mutate(new ByteBuffer(bytes), value);
}

/** {@link bindBuilder}, with the verifier run on all bytes that are read, or changed. */
export function bindVerified(dataset: Dataset): Binding<number, Reader> {
  const layout = flatLayout(dataset.schema);
  const binding = bindBuilder(dataset);
  const { read, access, verify } = binding;
  return {
    ...binding,
    read(bytes) {
      verify(bytes);
      return read(bytes);
    },
    access(bytes) {
      verify(bytes);
      return access(bytes);
    },
    reader(selection) {
      const readPart = partialReader(layout, dataset, selection);
      return (bytes) => {
        verify(bytes);
        return readPart(bytes);
      };
    },
    writer(place) {
      const write = numberWriter(layout, dataset, place);
      return (bytes, value) => {
        verify(bytes);
        write(bytes, value);
      };
    },
  };
}
