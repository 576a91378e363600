import type { Struct, StructCtor } from "capnp-ts";
import { compile, literal } from "../../model/generated-code.ts";
import type { Int64Mode } from "../../model/schema.ts";
import type { NumberPlace } from "../../model/selection.ts";
import type { Value } from "../../model/value.ts";
import { NARROWED_ROOT, type NarrowedVisit } from "../generate/narrowed.ts";
import type { CapnpLayout } from "../layout/capnp.ts";
import { buildFunctions, isEmpty } from "./build.ts";
import { plainFunctions } from "./plain.ts";
import { deepestNesting, MAX_NESTING, type runtimeOf } from "./runtime.ts";
import { overwriteFunction, structVisits } from "./visit.ts";

/** What is generated for one dataset. */
export interface CapnpCode extends CapnpReads {
  /** Class of a root that is written. */
  readonly WriteRoot: StructCtor<Struct>;
  /** Class of a root that is read. */
  readonly ReadRoot: StructCtor<Struct>;
  /** Fills a root. Throws ValueError for a value that is nested too deep. */
  build(value: Value, root: Struct): void;
}

/** The two ways to read a root. */
export interface CapnpReads {
  plain(root: Struct): Value;
  visit(root: Struct): number;
}

/** What generated code calls. */
type Runtime = ReturnType<typeof runtimeOf>;

/** Generates the code of a layout. */
export function capnpCode(layout: CapnpLayout, int64: Int64Mode, runtime: Runtime): CapnpCode {
  const { source, build } = capnpSource(layout, int64);
  return compile<CapnpCode>(
    `${source}
${structVisits(layout, false)}
return { WriteRoot: W0, ReadRoot: R0, build: ${build}, plain: plain0, visit: visit0 };`,
    runtime,
  );
}

/** The code that writes and reads a root, with a runtime in scope, and the expression of what fills a root. */
export function capnpSource(layout: CapnpLayout, int64: Int64Mode): { source: string; build: string } {
  const deep = deepestNesting(layout) > MAX_NESTING;
  const build = isEmpty(layout.structs[0])
    ? "(v, s) => emptyStruct(s)"
    : deep
      ? "(v, s) => build0(v, s, 1)"
      : "build0";
  const source = `${structClasses(layout)}
${buildFunctions(layout, int64, deep)}
${plainFunctions(layout, int64, false)}`;
  return { source, build };
}

/** Generates the code that reads also structs of an older, shorter schema. It is slower. */
export function olderReads(layout: CapnpLayout, int64: Int64Mode, runtime: Runtime): CapnpReads {
  return compile<CapnpReads>(
    `${structClasses(layout)}
${plainFunctions(layout, int64, true)}
${structVisits(layout, true)}
return { plain: plain0, visit: visit0 };`,
    runtime,
  );
}

/** Generates the code that visits a part of a root. As with {@link CapnpReads} there are two ways. */
export function narrowedVisit(
  layout: CapnpLayout,
  narrowed: readonly NarrowedVisit[],
  older: boolean,
  runtime: Runtime,
): CapnpReads["visit"] {
  return compile(
    `${structClasses(layout)}\n${structVisits(layout, older, narrowed)}\nreturn ${NARROWED_ROOT};`,
    runtime,
  );
}

/** Code that overwrites a number below a root. */
export interface CapnpOverwrite {
  readonly ReadRoot: StructCtor<Struct>;
  overwrite(root: Struct, value: Value): void;
}

/**
 * Generates it.
 * @param visits those that lead to the place
 * @param absent throws for a message without the field
 */
export function overwriteCode(
  layout: CapnpLayout,
  visits: readonly NarrowedVisit[],
  place: NumberPlace,
  int64: Int64Mode,
  absent: () => never,
  runtime: Runtime,
): CapnpOverwrite {
  return compile(
    `${structClasses(layout)}
${overwriteFunction(layout, visits, place, int64)}
return { ReadRoot: R0, overwrite };`,
    { ...runtime, absent },
  );
}

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
      const declare = (kind: string, size: string): string => `class ${kind}${i} extends StructClass {}
${kind}${i}._capnp = { displayName: ${literal(name)}, id: ${literal(id)}, size: new ObjectSize(${size}) };
const ${kind}${i}List = CompositeList(${kind}${i});
`;
      return declare("W", `${dataWords * 8}, ${pointers}`) + declare("R", "0, 0");
    })
    .join("");
}
