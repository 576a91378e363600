import { Builder, ByteBuffer } from "flatbuffers";
import { type Binding, bytesOf, type Encoded } from "../../model/codec.ts";
import type { Dataset } from "../../model/dataset.ts";
import { compile } from "../../model/generated-code.ts";
import type { Value } from "../../model/value.ts";
import { flatLayout } from "../../schema/layout/flatbuffers.ts";
import { refuseDepth } from "./depth.ts";
import { packFunctions } from "./pack.ts";
import { plainFunctions, plainScope } from "./plain.ts";
import { readerClasses, stringAt } from "./readers.ts";
import { verifierOf } from "./verifier.ts";
import { utf8At, visitFunctions } from "./visit.ts";

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
${visitFunctions(layout)}
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
    text: "utf8",
    writesOnce: true,
    direct: { build: false, plain: false },
    verify: verifierOf(layout, dataset),
  };
  if (layout.deep) for (const value of dataset.values) binding.build(value);
  return binding;
}

/** {@link bindBuilder}, with the verifier run on all bytes that are read. */
export function bindVerified(dataset: Dataset): Binding<number, Reader> {
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
  };
}
