import * as capnp from "capnp-ts";
import { SingleSegmentArena } from "capnp-ts/src/serialization/arena/index.js";
import { getSize } from "capnp-ts/src/serialization/pointers/struct.js";
import { defineCodec } from "../model/codec.ts";
import { bindCapnp } from "../schema/capnp/bind.ts";
import type { CapnpLibrary } from "../schema/capnp/library.ts";
import { capnpPage } from "../schema/capnp/page.ts";

/** Node exports a CommonJS module as `default` too, which is no name that generated code can have. */
const { default: _, ...classes } = capnp;

/** The library, as generated code and the messages around it use it. */
export const library: CapnpLibrary = {
  name: "capnp-ts",
  classes,
  Struct: capnp.Struct,
  arena: (buffer) => new SingleSegmentArena(buffer),
  lengthOf: (list) => list.getLength(),
  initList: capnp.List.initList,
  getSize,
  isNull: capnp.Pointer.isNull,
};

/** {@link library} as a page has it. */
const ON_PAGE = `import * as capnp from "capnp-ts";
import { SingleSegmentArena } from "capnp-ts/src/serialization/arena/index.js";
import { getSize as sizeOf } from "capnp-ts/src/serialization/pointers/struct.js";
const library = {
  name: "capnp-ts", classes: { ...capnp }, Struct: capnp.Struct, arena: (buffer) => new SingleSegmentArena(buffer),
  lengthOf: (list) => list.getLength(), initList: capnp.List.initList, getSize: sizeOf, isNull: capnp.Pointer.isNull,
};`;

export default defineCodec({
  format: "capnp",
  library: "capnp-ts",
  traits: ["evolves", "binary", "zero-copy"],
  summary:
    "setters of generated classes and toArrayBuffer, and getters on a Message, in an arena that is sized by the message before",
  bind: (dataset) => bindCapnp(library, dataset, false),
  page: (dataset) => capnpPage(library, dataset, ON_PAGE),
  variants: {
    packed: {
      traits: ["evolves", "binary"],
      summary: "the same with toPackedArrayBuffer, which leaves zero bytes out, and a packed Message",
      bind: (dataset) => bindCapnp(library, dataset, true),
    },
  },
});
