import type { StructShape } from "./shape.ts";

/** Every struct in a struct, the outer one first, each with a name for the function generated for it. */
export function functionsOf(root: StructShape, prefix: string): ReadonlyMap<StructShape, string> {
  const names = new Map<StructShape, string>();
  const visit = (struct: StructShape): void => {
    if (names.has(struct)) return;
    names.set(struct, `${prefix}${names.size}`);
    for (const { element } of struct.fields) if (element.kind === "struct") visit(element.struct);
  };
  visit(root);
  return names;
}
