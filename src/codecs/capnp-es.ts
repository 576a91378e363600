import { type Binding, bytesOf, defineCodec } from "../model/codec.ts";
import type { Dataset } from "../model/dataset.ts";
import { DecodeError, UnsupportedError } from "../model/errors.ts";
import { walk } from "../model/value.ts";
import { bindCapnp } from "../schema/capnp/bind.ts";
import type { CapnpLibrary } from "../schema/capnp/library.ts";
import { capnpPage } from "../schema/capnp/page.ts";
import { compileVisitor } from "../schema/generate/visit.ts";

type Library = typeof import("capnp-es");

/** The library, as code that is generated for its parent capnp-ts uses it: functions on structs are in `utils`. */
function asCapnpTs(capnp: Library): CapnpLibrary {
  const { Message, ListElementSize, utils } = capnp;
  // The package does not export the class.
  const Arena = new Message()._capnp.arena.constructor as new (buffer: ArrayBuffer) => never;
  return {
    name: "capnp-es",
    classes: capnp as unknown as CapnpLibrary["classes"],
    Struct: utils,
    arena: (buffer) => new Arena(buffer),
    lengthOf: (list) => (list as unknown as { readonly length: number }).length,
    // What its List.initList does, which it does not export either.
    initList(elementSize, length, pointer, compositeSize) {
      const list = pointer as never;
      const isComposite = elementSize === (ListElementSize.COMPOSITE as number);
      const bytes = utils.getListByteLength(elementSize as never, length, compositeSize);
      const { segment } = pointer as unknown as { readonly segment: { allocate(bytes: number): never } };
      const content = segment.allocate(bytes + (isComposite ? 8 : 0));
      if (isComposite) utils.setStructPointer(length, compositeSize as never, content);
      const { segment: target, byteOffset } = content as {
        readonly segment: never;
        readonly byteOffset: number;
      };
      const { offsetWords, pointer: placed } = utils.initPointer(target, byteOffset, list);
      utils.setListPointer(offsetWords, elementSize as never, length, placed, compositeSize);
    },
    getSize: (struct) => utils.getSize(struct as never),
    isNull: (pointer) => utils.isNull(pointer as never),
  };
}

/** Text is read by a TextDecoder, which takes off the mark that a text begins with. */
const MARK = 0xfeff;

function bindCapnpEs(library: Library, dataset: Dataset, packed: boolean): Binding {
  for (const value of dataset.values) {
    walk(value, (leaf, path, name) => {
      if ([leaf, name].some((text) => typeof text === "string" && text.charCodeAt(0) === MARK))
        throw new UnsupportedError(`${path()}: capnp-es takes a byte order mark off`);
    });
  }
  const binding = bindCapnp(asCapnpTs(library), dataset, packed) as Binding;
  const sumOf = compileVisitor(dataset.schema, { long: "plain", text: binding.text });
  return {
    ...binding,
    verify(bytes, rules) {
      binding.verify(bytes, rules);
      // `access` reads the bytes of a text, so that their sum is another where a mark is lost.
      if (
        holdsMark(bytesOf(bytes, "capnp")) &&
        binding.access(bytes) !== sumOf(binding.plain(binding.read(bytes)))
      ) {
        throw new DecodeError("capnp", "capnp-es takes the byte order mark off a text", {
          code: "unsupported",
        });
      }
    },
  };
}

/** Whether a mark's UTF-8 is anywhere in a message; a text begins with a word, and packing keeps a word's bytes that are not zero together. */
function holdsMark(bytes: Uint8Array): boolean {
  const [first, second, third] = [0xef, 0xbb, 0xbf] as const;
  for (let at = bytes.indexOf(first); at >= 0; at = bytes.indexOf(first, at + 1))
    if (bytes[at + 1] === second && bytes[at + 2] === third) return true;
  return false;
}

export default defineCodec<Library>({
  format: "capnp",
  library: "capnp-es",
  tried: "0.0.16",
  load: () => import("capnp-es"),
  traits: ["evolves", "binary", "zero-copy"],
  summary:
    "what its generator prints, as for capnp-ts: setters and toArrayBuffer, and getters on a Message; each list is a Proxy",
  bind: (dataset, library) => bindCapnpEs(library, dataset, false),
  page: (dataset, library) =>
    capnpPage(
      asCapnpTs(library),
      dataset,
      `import * as capnp from "capnp-es";\nconst library = (${asCapnpTs})(capnp);`,
    ),
  variants: {
    packed: {
      traits: ["evolves", "binary"],
      summary: "the same with toPackedArrayBuffer, which leaves zero bytes out, and a packed Message",
      bind: (dataset, library) => bindCapnpEs(library, dataset, true),
    },
  },
});
