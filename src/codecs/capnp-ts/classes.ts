import { literal } from "../../model/generated-code.ts";
import type { CapnpLayout } from "../../schema/layout/capnp.ts";

/**
 * Classes for the structs of a layout as the library's own generator writes them, without accessors: `W0` and
 * `W0List` to write the first, `R0` and `R0List` to read it.
 *
 * The two differ in their size. A struct that is shorter than its class, because its writer's schema is older,
 * is replaced by a longer copy when it is read (0.9.3). In a list the copy has pointers in the place of data;
 * each copy takes a new segment of 4096 bytes; and the original is emptied, to which another pointer may lead.
 * Nothing is shorter than a class of size 0: see `olderReads`.
 */
export function structClasses({ structs }: CapnpLayout): string {
  return structs
    .map(({ name, id, dataWords, pointers }, i) => {
      const declare = (kind: string, size: string): string => `class ${kind}${i} extends Struct {}
${kind}${i}._capnp = { displayName: ${literal(name)}, id: ${literal(id)}, size: new ObjectSize(${size}) };
const ${kind}${i}List = CompositeList(${kind}${i});
`;
      return declare("W", `${dataWords * 8}, ${pointers}`) + declare("R", "0, 0");
    })
    .join("");
}
