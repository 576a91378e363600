import type { Scalar } from "../../model/schema.ts";

/** What the bytes of one message may hold. Shapes may refer to each other in circles. */
export interface MessageShape {
  /** For error texts. */
  readonly name: string;
  readonly fields: ReadonlyMap<number, FieldShape>;
  /** One entry of a map field: it is no level of nesting of its own. */
  readonly entry?: boolean;
  /** Set for an entry where, to its reader, a key of 0 and one that is left out are two keys. */
  readonly tellsZero?: boolean;
}

/** What may stand under one field number. */
export interface FieldShape {
  /** For error paths. */
  readonly name: string;
  readonly type: TypeShape;
  readonly repeated: boolean;
  /** Whether a message without it is malformed. */
  readonly required: boolean;
}

/** What one value is. */
export type TypeShape =
  /** `key`: of a map, which readers hold as text, so that no integer is too large for a number. */
  | { readonly kind: "scalar"; readonly scalar: Scalar; readonly key?: boolean }
  /** `numbers` are the only ones allowed, as in proto2; without them every int32 is. */
  | { readonly kind: "enum"; readonly numbers?: ReadonlySet<number> }
  /** `group` is the encoding between a start tag and an end tag. */
  | { readonly kind: "message"; readonly shape: MessageShape; readonly group: boolean };

/**
 * The shape of a map field: on the wire it is a list of entries, each a message with the key as field 1 and
 * the value as field 2 (encoding guide, "Maps"). A reader puts the default in the place of a missing key or
 * value, so an enum's value is required where 0 is not one of its numbers.
 * @param options `tellsZero`, as {@link MessageShape.tellsZero}
 */
export function mapShape(
  name: string,
  key: Scalar,
  value: TypeShape,
  options: Pick<MessageShape, "tellsZero"> = {},
): FieldShape {
  const keyType: TypeShape = { kind: "scalar", scalar: key, key: true };
  const zeroless = value.kind === "enum" && value.numbers?.has(0) === false;
  const fields = new Map<number, FieldShape>([
    [1, { name: "key", type: keyType, repeated: false, required: false }],
    [2, { name: "value", type: value, repeated: false, required: zeroless }],
  ]);
  const shape: MessageShape = { name: `${name} entry`, fields, entry: true, ...options };
  return { name, type: { kind: "message", shape, group: false }, repeated: true, required: false };
}
