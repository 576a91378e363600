import { Builder, ByteBuffer } from "flatbuffers";
import { type Binding, bytesOf, defineCodec, type Encoded, type PageCode } from "../../model/codec.ts";
import type { Dataset } from "../../model/dataset.ts";
import { compile } from "../../model/generated-code.ts";
import type { MessageSelection, NumberPlace, NumberWriter, PartialReader } from "../../model/selection.ts";
import type { Value } from "../../model/value.ts";
import { absentPlace, NARROWED_ROOT, narrowedVisits, visitsTo } from "../../schema/generate/narrowed.ts";
import { type FlatLayout, flatLayout } from "../../schema/layout/flatbuffers.ts";
import { importOf, pageCode } from "../../schema/page-code.ts";
import { deciding } from "../../schema/values/transcode.ts";
import { bindObject } from "./object.ts";
import { packFunctions, refuseDepth } from "./pack.ts";
import { plainFunctions, plainScope } from "./plain.ts";
import { readerClasses, stringAt } from "./readers.ts";
import { verifierOf } from "./verifier.ts";
import { mutateFunction, readerVisits, utf8At } from "./visit.ts";

/** An object of a generated class that reads the root table. */
type Reader = object;

interface Code {
  pack(builder: Builder, value: Value): number;
  root(bb: ByteBuffer): Reader;
  plain(reader: Reader): Value;
  visit(reader: Reader): number;
}

/** Binds the style that calls what flatc generates without its object API. A built message is its offset. */
export function bindBuilder(dataset: Dataset, into = false): Binding<number, Reader> {
  const layout = flatLayout(dataset.schema);
  const source = `${sourceOf(layout, dataset)}
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
      builder.finish(root, layout.identifier);
      return builder.asUint8Array().slice();
    },
    read,
    plain: code.plain,
    access: (bytes) => code.visit(read(bytes)),
    reader: (selection) => partialReader(layout, dataset, selection),
    writer: (place) => numberWriter(layout, dataset, place),
    ...(into && { into: intoBuilder(code, layout) }),
    text: "utf8",
    writesOnce: true,
    direct: { build: false, plain: false },
    verify: verifierOf(layout, dataset),
  };
  if (layout.deep) for (const value of dataset.values) binding.build(value);
  return deciding("flatbuffers", dataset, binding);
}

/** Packs into a builder whose memory is the caller's: a message lies at its end. */
function intoBuilder({ pack }: Code, { identifier }: FlatLayout): NonNullable<Binding["into"]> {
  const builder = new Builder();
  // Its types hide the buffer, which it replaces by a larger one of its own where it is full.
  const held = builder as unknown as { bb: ByteBuffer };
  return (value, memory) => {
    if (held.bb.bytes() !== memory) held.bb = new ByteBuffer(memory);
    builder.clear();
    builder.finish(pack(builder, value), identifier);
    return held.bb.bytes() === memory ? builder.asUint8Array() : undefined;
  };
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

function sourceOf(layout: FlatLayout, { int64 }: Dataset): string {
  return `${readerClasses(layout)}\n${packFunctions(layout, int64)}\n${plainFunctions(layout, int64)}`;
}

function pageOf(dataset: Dataset): PageCode {
  const layout = flatLayout(dataset.schema);
  return pageCode(
    `import { Builder, ByteBuffer } from "flatbuffers";
${importOf("stringAt", "codecs/flatbuffers/readers")}
${importOf("refuseDepth", "codecs/flatbuffers/pack")}
${importOf("plainScope", "codecs/flatbuffers/plain")}
const { ${Object.keys(plainScope).join(", ")} } = plainScope;
${sourceOf(layout, dataset)}`,
    `(value) => { const b = new Builder(); b.finish(pack0(b, value), ${JSON.stringify(layout.identifier)}); return b.asUint8Array(); }`,
    "(bytes) => plain0(T0.getRoot(new ByteBuffer(bytes)))",
  );
}

/** {@link bindBuilder}, with the verifier run on all bytes that are read, or changed. */
function bindVerified(dataset: Dataset): Binding<number, Reader> {
  const layout = flatLayout(dataset.schema);
  const binding = bindBuilder(dataset);
  const { read, access } = binding;
  const verify = verifierOf(layout, dataset);
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

export default defineCodec({
  format: "flatbuffers",
  library: "flatbuffers",
  traits: ["evolves", "binary", "zero-copy"],
  summary:
    "the calls of code generated by flatc: a Builder that is reused, and readers over a ByteBuffer; bytes are views on the input",
  bind: (dataset) => bindBuilder(dataset),
  page: pageOf,
  variants: {
    into: {
      traits: ["evolves", "binary", "zero-copy"],
      summary:
        "the same with a Builder over memory of the caller's, at whose end encode writes, and which the next call overwrites",
      bind: (dataset) => bindBuilder(dataset, true),
    },
    object: {
      traits: ["evolves", "binary"],
      summary: "flatc's object API: classes with pack and unpack, and conversions to and from plain values",
      bind: bindObject,
    },
    verified: {
      // The verifier takes no table that has more fields than its schema.
      traits: ["binary", "zero-copy"],
      summary: "the same, with the bytes checked by a verifier before they are read",
      bind: bindVerified,
    },
  },
});
