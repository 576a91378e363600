import { utf8Size } from "../../formats/bytes/portable.ts";
import { type Binding, defineCodec } from "../../model/codec.ts";
import type { Dataset } from "../../model/dataset.ts";
import { UnsupportedError } from "../../model/errors.ts";
import { walk } from "../../model/value.ts";
import { mapped } from "../../schema/mapped.ts";
import { pageCode } from "../../schema/page-code.ts";
import { BebopCheck, DECODED_TEXT } from "./check.ts";
import { bebopCode, bebopSource } from "./code.ts";

type Library = Pick<typeof import("bebop"), "BebopView">;

function bindBebop({ BebopView }: Library, dataset: Dataset): Binding {
  const { schema, values, int64 } = dataset;
  for (const value of values) {
    walk(value, (leaf, path, name) => {
      if ([leaf, name].some(isMarked))
        throw new UnsupportedError(`${path()}: bebop takes the byte order mark off long text`);
    });
  }
  const view = BebopView.getInstance();
  const { write, read } = bebopCode(schema, int64, view);
  const check = new BebopCheck(schema, int64);
  return mapped(dataset, {
    format: "bebop",
    write(value) {
      view.startWriting();
      write(value as never);
      // The view's array is that of the next message too.
      return view.toArray().slice();
    },
    read(bytes) {
      view.startReading(bytes);
      return read();
    },
    verify: (bytes) => check.whole(bytes),
  });
}

function isMarked(text: unknown): boolean {
  return typeof text === "string" && text.charCodeAt(0) === 0xfeff && utf8Size(text) >= DECODED_TEXT;
}

export default defineCodec<Library>({
  format: "bebop",
  library: "bebop",
  tried: "3.2.3",
  load: () => import("bebop"),
  traits: ["evolves", "binary"],
  summary:
    "generated code that calls BebopView as bebopc's output does for messages, and copies what it gives; maps are objects; bytes are views on the input",
  bind: (dataset, library) => bindBebop(library, dataset),
  page: ({ schema, int64 }) => {
    const { functions, root } = bebopSource(schema, int64);
    return pageCode(
      `import { BebopView } from "bebop";
const view = BebopView.getInstance();
const setOwn = (object, key, value) => { object[key] = value; };
${functions}`,
      `(value) => { view.startWriting(); write${root}(value); return view.toArray().slice(); }`,
      `(bytes) => { view.startReading(bytes); return read${root}(); }`,
    );
  },
});
