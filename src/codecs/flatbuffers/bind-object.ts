import { Builder, ByteBuffer } from "flatbuffers";
import { type Binding, bytesOf, type Encoded } from "../../model/codec.ts";
import type { Dataset } from "../../model/dataset.ts";
import { compile } from "../../model/generated-code.ts";
import type { Value } from "../../model/value.ts";
import { flatLayout } from "../../schema/layout/flatbuffers.ts";
import { refuseDepth } from "./depth.ts";
import { objectClasses, unpackBody } from "./object-classes.ts";
import { conversionFunctions, conversionScope } from "./object-convert.ts";
import { readerClasses, stringAt } from "./readers.ts";
import { verifierOf } from "./verifier.ts";
import { objectVisits } from "./visit.ts";

/** An object of a generated class that holds the root table. */
interface Message {
  pack(builder: Builder): number;
}

interface Code {
  object(value: Value): Message;
  root(bb: ByteBuffer): { unpack(): Message };
  plain(message: Message): Value;
  visit(message: Message): number;
}

/**
 * Binds the style of flatc's object API: `build` and `plain` convert between plain values and its objects,
 * `write` packs them and `read` unpacks them.
 */
export function bindObject(dataset: Dataset): Binding<Message, Message> {
  const layout = flatLayout(dataset.schema);
  const source = `${readerClasses(layout, (table) => unpackBody(layout, table))}
${objectClasses(layout)}
${conversionFunctions(layout, dataset.int64)}
${objectVisits(layout)}
return { object: (value) => object0(value), root: (bb) => T0.getRoot(bb), plain: plain0, visit: visit0 };`;
  const code = compile<Code>(source, { ...conversionScope, stringAt, refuseDepth });
  const builder = new Builder();
  const read = (bytes: Encoded): Message => code.root(new ByteBuffer(bytesOf(bytes, "flatbuffers"))).unpack();
  // Finds out now whether any of them is one that this style cannot carry.
  for (const value of dataset.values) code.object(value);
  return {
    build: code.object,
    write(message) {
      builder.clear();
      builder.finish(message.pack(builder));
      return builder.asUint8Array().slice();
    },
    read,
    plain: code.plain,
    access: (bytes) => code.visit(read(bytes)),
    text: "utf16",
    direct: { build: false, plain: false },
    verify: verifierOf(layout, dataset),
  };
}
