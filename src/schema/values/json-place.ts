import { type Node, parseTree } from "jsonc-parser";
import { type MessageType, messageOf, type Schema } from "../../model/schema.ts";
import { FieldsByKey } from "./field-keys.ts";

/**
 * Where the value at a path of a {@link ValueError} stands in JSON text, as an offset; that of the nearest value around it where
 * the text has none there, as for a field that is missing.
 * @param index of the value in the list that the text is; undefined where it is the whole
 */
export function offsetOf(schema: Schema, text: string, path: string, index?: number): number {
  const tree = treeOf(text);
  let node = index === undefined ? tree : tree?.children?.[index];
  const fields = new FieldsByKey("json");
  let type: MessageType | undefined = messageOf(schema, schema.root);
  for (const step of stepsOf(path)) {
    const next: Node | undefined =
      typeof step === "number" ? node?.children?.[step] : memberOf(node, step, type, fields);
    // What has a form of its own in JSON has steps that its text lacks.
    if (next === undefined) continue;
    node = next;
    if (typeof step === "number") continue;
    const field = type?.fields.find(({ name }) => name === step);
    // The keys of a map are no fields.
    if (field?.type.kind === "message") type = messageOf(schema, field.type.name);
  }
  return node?.offset ?? 0;
}

function treeOf(text: string): Node | undefined {
  try {
    return parseTree(text);
  } catch (error) {
    // It recurses: in a text nested too deeply for the stack there is no place to show.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** The value of a key that stands for a field, or that is the step itself. */
function memberOf(
  node: Node | undefined,
  step: string,
  type: MessageType | undefined,
  fields: FieldsByKey,
): Node | undefined {
  const members = node?.type === "object" ? (node.children ?? []) : [];
  // flatc has a member of a union under the union's name.
  const union = type?.fields.find(({ name, tag }) => name === step && tag !== undefined)?.oneof;
  const found = members.find(({ children: [key] = [] }) => {
    const field = type && fields.of(type).get(key?.value as string);
    return field?.name === step || key?.value === step || (union !== undefined && key?.value === union);
  });
  return found?.children?.[1] ?? found;
}

/** `info[3].a["b c"]` as its steps. */
function stepsOf(path: string): (string | number)[] {
  const step = /\[(\d+)\]|\[("(?:[^"\\]|\\.)*")\]|([A-Za-z_]\w*)/g;
  return [...path.matchAll(step)].map(([, index, quoted, name = ""]) => {
    if (index !== undefined) return Number(index);
    return quoted === undefined ? name : (JSON.parse(quoted) as string);
  });
}
