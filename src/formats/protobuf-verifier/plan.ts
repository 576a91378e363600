import type { Scalar } from "../../model/schema.ts";
import { WIRE } from "./input.ts";
import { NARROW, WIRE_TYPES } from "./numbers.ts";
import type { FieldShape, MessageShape, TypeShape } from "./shape.ts";

/** A message's shape with all at hand that follows from it, so that nothing is looked up for each value. */
export interface MessagePlan {
  readonly shape: MessageShape;
  readonly fields: Map<number, FieldPlan>;
  /** Fields that a message may not lack. */
  required: readonly FieldPlan[];
  readonly entry: boolean;
}

/** A field's shape, in the same way. It is of a message, or a scalar, or an enum. */
export interface FieldPlan {
  readonly shape: FieldShape;
  readonly repeated: boolean;
  readonly wire: number;
  /** Whether it is a list whose elements may stand in one value. */
  readonly packable: boolean;
  readonly message: MessagePlan | undefined;
  readonly scalar: Scalar | undefined;
  /** Of a closed enum. */
  readonly numbers: ReadonlySet<number> | undefined;
  /** Whether a varint may be too wide for it even where those that are too wide are cast. */
  readonly narrow: boolean;
  readonly isKey: boolean;
  readonly tellsZero: boolean;
}

const plans = new WeakMap<MessageShape, MessagePlan>();

/** The plan of a shape, which no longer changes. It is made once, and those of the messages in it with it. */
export function planOf(shape: MessageShape): MessagePlan {
  const unfilled: MessagePlan[] = [];
  const plan = planIn(shape, unfilled);
  for (let next = unfilled.pop(); next !== undefined; next = unfilled.pop()) fill(next, unfilled);
  return plan;
}

/** A plan, which has no fields yet if it is new. */
function planIn(shape: MessageShape, unfilled: MessagePlan[]): MessagePlan {
  const known = plans.get(shape);
  if (known !== undefined) return known;
  const plan: MessagePlan = { shape, fields: new Map(), required: [], entry: shape.entry === true };
  plans.set(shape, plan);
  unfilled.push(plan);
  return plan;
}

function fill(plan: MessagePlan, unfilled: MessagePlan[]): void {
  for (const [number, field] of plan.shape.fields) plan.fields.set(number, planOfField(field, unfilled));
  plan.required = [...plan.fields.values()].filter(
    ({ shape }) => shape.required || (plan.entry && cannotBeEmpty(shape.type)),
  );
}

function planOfField(shape: FieldShape, unfilled: MessagePlan[]): FieldPlan {
  const { type, repeated } = shape;
  const wire = wireTypeOf(type);
  const scalar = type.kind === "scalar" ? type.scalar : undefined;
  return {
    shape,
    repeated,
    wire,
    packable: repeated && type.kind !== "message" && wire !== WIRE.delimited,
    message: type.kind === "message" ? planIn(type.shape, unfilled) : undefined,
    scalar,
    numbers: type.kind === "enum" ? type.numbers : undefined,
    narrow: scalar !== undefined && NARROW.has(scalar),
    isKey: type.kind === "scalar" && type.key === true,
    tellsZero: type.kind === "message" && type.shape.tellsZero === true,
  };
}

/** Whether the empty message that a reader puts in the place of a missing one would be malformed. */
function cannotBeEmpty(type: TypeShape): boolean {
  return type.kind === "message" && [...type.shape.fields.values()].some((field) => field.required);
}

function wireTypeOf(type: TypeShape): number {
  if (type.kind === "message") return type.group ? WIRE.startGroup : WIRE.delimited;
  return type.kind === "enum" ? WIRE.varint : WIRE_TYPES[type.scalar];
}
