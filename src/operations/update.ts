import { bytesOf, type Encoded } from "../model/codec.ts";
import { defineOperation, type OperationContext, type Task } from "../model/operation.ts";
import { expectValue, foldEncoded } from "../model/proof.ts";
import type { Schema } from "../model/schema.ts";
import type { NumberWriter } from "../model/selection.ts";
import { compileAssigner } from "../schema/generate/narrowed.ts";
import { otherNumber, type UpdatePlace, updatePlace } from "../schema/selection.ts";

/** A message and the number that one call writes into it. */
interface Update {
  readonly bytes: Encoded;
  readonly number: number | bigint;
}

/** One that is changed where it stands. */
interface OwnUpdate extends Update {
  readonly bytes: Uint8Array;
  /** A byte that the number changes. */
  readonly changed: number;
}

export default defineOperation<unknown, unknown>({
  summary: "changes one fixed-width field: in place, or by decode, change, encode",
  part: false,
  optional: true,
  prepare: (context) => {
    const place = updatePlace(context.schema, context.canonical ?? context.values);
    const write = context.binding.writer?.(place);
    return write === undefined ? anew(context, place) : inPlace(context, place, write);
  },
});

/**
 * The ring twice: every message of ours gets another number, then every one its own back, so that each call has
 * something to change and one byte shows whether it did.
 */
function inPlace(
  { schema, binding, values, encoded }: OperationContext,
  place: UpdatePlace,
  write: NumberWriter,
): Task<OwnUpdate, OwnUpdate> {
  const inputs = encoded.flatMap((given, index) => {
    // A Buffer's own slice would share the ring's memory.
    const bytes = new Uint8Array(bytesOf(given, "update"));
    const own = place.numbers[index]!;
    const other = otherNumber(place.definition, own);
    const before = Uint8Array.from(bytes);
    write(bytes, other);
    const changed = Math.max(
      0,
      bytes.findIndex((byte, at) => byte !== before[at]),
    );
    bytes.set(before);
    return [other, own].map((number) => ({ bytes, number, changed }));
  });
  const turns = [0, 1].flatMap((turn) => inputs.filter((_, index) => index % 2 === turn));
  const expected = expectedValue(schema, values, place);
  return {
    inputs: turns,
    run: (input) => {
      write(input.bytes, input.number);
      return input;
    },
    fold: ({ bytes, changed }) => bytes[changed]!,
    check: ({ bytes, number }, index) =>
      expectValue(expected(index % values.length, number), binding.plain(binding.read(bytes))),
  };
}

function anew(
  { schema, binding, values, encoded }: OperationContext,
  place: UpdatePlace,
): Task<Update, Encoded> {
  const assign = compileAssigner(place, schema);
  const numbers = place.numbers.map((number) => otherNumber(place.definition, number));
  const expected = expectedValue(schema, values, place);
  return {
    inputs: encoded.map((bytes, index) => ({ bytes, number: numbers[index]! })),
    run: ({ bytes, number }) => {
      const value = binding.plain(binding.read(bytes));
      assign(value, number);
      return binding.write(binding.build(value));
    },
    fold: binding.varies === true ? ({ length }) => (length > 0 ? 1 : 0) : foldEncoded,
    check: (result, index) =>
      expectValue(expected(index, numbers[index]!), binding.plain(binding.read(result))),
  };
}

/** What a message must hold once a number was written into it. */
function expectedValue(schema: Schema, values: OperationContext["values"], place: UpdatePlace) {
  const assign = compileAssigner(place, schema);
  return (index: number, number: number | bigint) => {
    const value = structuredClone(values[index]!);
    assign(value, number);
    return value;
  };
}
