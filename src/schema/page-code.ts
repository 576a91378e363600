/** Parts of a module for a page: see {@link PageCode}. */
import { fileURLToPath } from "node:url";
import type { PageCode } from "../model/codec.ts";
import { ownModule } from "../model/package-files.ts";

/**
 * @param shared imports, and what both sides need
 * @param encode expression of a function from what the library takes to bytes
 * @param decode expression of a function from bytes to what the library gives
 */
export function pageCode(shared: string, encode: string, decode: string): PageCode {
  return {
    shared,
    encode: `export const encode = ${encode};`,
    decode: `export const decode = ${decode};`,
  };
}

/** {@link pageCode} of a library of text, which goes over the wire as UTF-8. */
export function textPageCode(shared: string, stringify: string, parse: string): PageCode {
  return pageCode(
    shared,
    `(value) => new TextEncoder().encode((${stringify})(value))`,
    `(bytes) => (${parse})(new TextDecoder().decode(bytes))`,
  );
}

/** Statement that imports names from a module of wirebench, as `schema/capnp/message`, for {@link pageCode}. */
export function importOf(names: string, module: string): string {
  return `import { ${names} } from ${JSON.stringify(fileURLToPath(ownModule(module)))};`;
}
