/** What protoc refuses in a declaration by itself. */
import { SchemaError } from "../../../model/errors.ts";
import { isPackable } from "../../layout/protobuf.ts";
import type { Name, Range, Reserved, Spot } from "./declarations.ts";
import type { LinkedEnum, LinkedField, LinkedMessage } from "./linked.ts";

/** Throws SchemaError where fields of a message share a number, or have one or a name that is kept from use. */
export function checkMessage({ name, file, declaration }: LinkedMessage): void {
  const { fields, oneofs, extensionRanges, reserved, isMessageSet } = declaration;
  const fail = (problem: string, spot: Spot): SchemaError =>
    new SchemaError(file.shown, `message ${name}: ${problem}`, spot);
  const numbers = new Map<number, string>();
  for (const field of fields) {
    const { number, numberSpot } = field;
    if (isMessageSet) throw fail("a message set has only extensions", field.spot);
    const other = numbers.get(number);
    if (other !== undefined) throw fail(`${other} and ${field.name} have the number ${number}`, numberSpot);
    numbers.set(number, field.name);
    checkReserved(field, number, numberSpot, reserved, fail);
    if (covers(extensionRanges, number)) throw fail(`the number ${number} is an extension's`, numberSpot);
  }
  const empty = oneofs.find((_, index) => !fields.some(({ oneof }) => oneof === index));
  if (empty !== undefined) throw fail(`oneof ${empty.name} has no field`, empty.spot);
}

/** Throws SchemaError where an enum has no values, or some that it cannot have. */
export function checkEnum({ name, file, declaration, isClosed }: LinkedEnum): void {
  const { values, reserved, allowsAlias, spot: own } = declaration;
  const fail = (problem: string, spot: Spot): SchemaError =>
    new SchemaError(file.shown, `enum ${name}: ${problem}`, spot);
  const [first] = values;
  if (first === undefined) throw fail("it has no values", own);
  if (!isClosed && first.number !== 0) {
    throw fail(`its first value must be 0, got ${first.name} = ${first.number}`, own);
  }
  const numbers = new Map<number, string>();
  for (const value of values) {
    const { number, numberSpot } = value;
    if (number !== (number | 0)) throw fail(`${value.name} = ${number} is outside int32`, own);
    const other = numbers.get(number);
    if (other !== undefined && !allowsAlias) {
      throw fail(`${other} and ${value.name} have the number ${number}, without allow_alias`, numberSpot);
    }
    numbers.set(number, value.name);
    checkReserved(value, number, numberSpot, reserved, fail);
  }
}

/** What protoc refuses in a field beside its number and its default; undefined where there is nothing. */
export function fieldProblem(field: Omit<LinkedField, "default">): string | undefined {
  const { file, declaration, type, presence } = field;
  const { label, extendee, oneof, packed, features } = declaration;
  const isList = label === "repeated";
  const isNumber = type.kind === "enum" || (type.kind === "scalar" && isPackable(type));
  if (packed === true && !(isList && field.key === undefined && isNumber))
    return "packed is for lists of numbers";
  const chosen = features.field_presence;
  if (extendee !== undefined && (label === "required" || chosen === "LEGACY_REQUIRED")) {
    return "an extension is not required";
  }
  if (oneof !== undefined && chosen !== undefined) return "a field of a oneof has no presence of its own";
  if (isList && chosen !== undefined) return "a list has no presence";
  if (!isList && features.repeated_field_encoding !== undefined)
    return "repeated_field_encoding is for lists";
  if (features.message_encoding !== undefined && (type.kind !== "message" || field.key !== undefined)) {
    return "message_encoding is for messages";
  }
  if (chosen === "IMPLICIT" && type.kind === "message") return "a message has no implicit presence";
  const needsOpen = file.edition === "proto3" || presence === "implicit";
  return !isList && needsOpen && type.kind === "enum" && type.isClosed
    ? `enum ${type.name} is closed, and a field of proto3 or with implicit presence needs an open one`
    : undefined;
}

function checkReserved(
  { name, spot }: Name,
  number: number,
  numberSpot: Spot,
  { ranges, names }: Reserved,
  fail: (problem: string, spot: Spot) => SchemaError,
): void {
  if (covers(ranges, number)) throw fail(`the number ${number} is reserved`, numberSpot);
  if (names.some((one) => one.name === name)) throw fail(`the name ${name} is reserved`, spot);
}

function covers(ranges: readonly Range[], number: number): boolean {
  return ranges.some(({ from, to }) => from <= number && number <= to);
}
