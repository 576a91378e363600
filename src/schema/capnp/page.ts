import type { PageCode } from "../../model/codec.ts";
import type { Dataset } from "../../model/dataset.ts";
import { capnpLayout } from "../layout/capnp.ts";
import { importOf, pageCode } from "../page-code.ts";
import { capnpSource } from "./code.ts";
import type { CapnpLibrary } from "./library.ts";
import { runtimeOf } from "./runtime.ts";

/**
 * The code of a page for a library of Cap'n Proto.
 * @param declared statements that import the library and declare `library`, a {@link CapnpLibrary}
 */
export function capnpPage(
  library: CapnpLibrary,
  { schema, int64 }: Pick<Dataset, "schema" | "int64">,
  declared: string,
): PageCode {
  const { source, build } = capnpSource(capnpLayout(schema), int64);
  return pageCode(
    `${declared}
${importOf("runtimeOf", "schema/capnp/runtime")}
${importOf("messageMaker, openMessage", "schema/capnp/message")}
const { ${Object.keys(runtimeOf(library)).join(", ")} } = runtimeOf(library);
${source}`,
    `(value) => {
  const message = messageMaker(library).make();
  (${build})(value, message.initRoot(W0));
  return new Uint8Array(message.toArrayBuffer());
}`,
    "(bytes) => plain0(openMessage(library, bytes, false).getRoot(R0))",
  );
}
