import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Dataset } from "../../src/model/dataset.ts";
import { DecodeError } from "../../src/model/errors.ts";
import {
  type Field,
  type FieldType,
  is64Bit,
  type MessageType,
  type Schema,
} from "../../src/model/schema.ts";
import { firstDifference, type RecordValue, type Value } from "../../src/model/value.ts";
import { compileAssigner } from "../../src/schema/generate/narrowed.ts";
import { conform } from "../../src/schema/values/conform.ts";
import { IMPLICIT_DEFAULTS } from "../../src/schema/values/conform-scalar.ts";
import { decodeUntrusted } from "../../src/schema/values/transcode.ts";
import { schemas, valuesOf } from "../arbitrary-schema.ts";
import { numbersIn, selectionsOf } from "../codec-contract.ts";
import { SEED } from "../seed.ts";
import { bindings, dataset, encode, field, implicit, list, scalar } from "./capnp-ts-fixture.ts";

describe("messages of other versions of a schema", () => {
  /** The schema as it was when its messages had only some of their fields. */
  const olderOf = (schema: Schema, keep: number): Schema => {
    const messages = [...schema.messages.values()].map(
      ({ name, fields }): MessageType => ({ name, fields: fields.slice(0, 1 + (keep % fields.length)) }),
    );
    return { ...schema, messages: new Map(messages.map((one) => [one.name, one])) };
  };

  /** A value of the older schema as one of the newer: what it lacks is zero or empty. */
  const updated = (schema: Schema, type: FieldType, value: Value): Value => {
    if (type.kind !== "message") return value;
    const given = value as RecordValue;
    const entries = schema.messages.get(type.name)!.fields.map((one): [string, Value | undefined] => {
      const old = Object.hasOwn(given, one.name) ? given[one.name] : undefined;
      if (old === undefined) return [one.name, absent(one)];
      if (one.repetition.kind === "list")
        return [one.name, (old as Value[]).map((item) => updated(schema, one.type, item))];
      if (one.repetition.kind === "one") return [one.name, updated(schema, one.type, old)];
      const items = Object.entries(old as RecordValue).map(
        ([key, item]) => [key, updated(schema, one.type, item)] as const,
      );
      return [one.name, Object.fromEntries(items)];
    });
    return Object.fromEntries(entries.filter((entry): entry is [string, Value] => entry[1] !== undefined));
  };

  const absent = ({ type, repetition }: Field): Value | undefined => {
    if (repetition.kind !== "one") return repetition.kind === "list" ? [] : {};
    if (repetition.presence === "optional") return undefined;
    if (type.kind !== "scalar") return 0;
    if (type.scalar === "bytes") return new Uint8Array(0);
    const zero = IMPLICIT_DEFAULTS[type.scalar];
    return zero === "int64" ? 0n : zero;
  };

  const versions = fc.tuple(schemas(), fc.nat(7)).chain(([newer, keep]) => {
    const older = olderOf(newer, keep);
    return valuesOf(older).map((value) => ({ newer, older, value: asBigints(older, value as Value) }));
  });
  const bound = (schema: Schema): Dataset => ({ name: "random", schema, values: [], int64: "bigint" });

  it("are read where they are shorter, with zero and empty for what they lack", () => {
    const property = fc.property(versions, ({ newer, older, value }) => {
      for (const bind of Object.values(bindings)) {
        const bytes = encode(bind(bound(older)), value);
        const binding = bind(bound(newer));
        const expected = updated(newer, { kind: "message", name: newer.root }, value);
        expect(
          firstDifference(expected, decodeUntrusted("capnp-ts", binding, bound(newer), bytes)),
        ).toBeUndefined();
        const again = encode(binding, expected);
        expect(binding.access(bytes)).toBe(binding.access(again));
        const [everything] = selectionsOf({ ...bound(newer), values: [expected] });
        if (bind === bindings.plain) {
          const read = binding.reader!(everything!);
          expect(read(bytes)).toBe(read(again));
        }
      }
    });
    fc.assert(property, { numRuns: 300, seed: SEED });
  });

  it("have their numbers overwritten, but for those that they lack", () => {
    const counts = { changed: 0, lacking: 0 };
    const property = fc.property(versions, ({ newer, older, value }) => {
      const bytes = encode(bindings.plain(bound(older)), value);
      const binding = bindings.plain(bound(newer));
      const expected = updated(newer, { kind: "message", name: newer.root }, value);
      for (const { place, definition, number } of numbersIn(newer, expected).slice(0, 4)) {
        const is64 = definition.type.kind === "scalar" && is64Bit(definition.type.scalar);
        const changed = structuredClone(expected);
        const message = Uint8Array.from(bytes);
        try {
          binding.writer!(place)(message, is64 ? 1n : 1);
        } catch (error) {
          expect(error).toBeInstanceOf(DecodeError);
          expect(message).toEqual(bytes);
          counts.lacking += 1;
          continue;
        }
        expect(number).toBeDefined();
        compileAssigner(place)(changed, is64 ? 1n : 1);
        const decoded = decodeUntrusted("capnp-ts", binding, bound(newer), message);
        expect(firstDifference(changed, decoded)).toBeUndefined();
        counts.changed += 1;
      }
    });
    fc.assert(property, { numRuns: 100, seed: SEED });
    expect(counts.changed).toBeGreaterThan(20);
    expect(counts.lacking).toBeGreaterThan(20);
  });

  it("are read where they are longer, unless a part would be lost", () => {
    let read = 0;
    const property = fc.property(versions, ({ newer, older, value }) => {
      const longer = encode(
        bindings.plain(bound(newer)),
        updated(newer, { kind: "message", name: newer.root }, value),
      );
      const binding = bindings.plain(bound(older));
      try {
        expect(
          firstDifference(value, decodeUntrusted("capnp-ts", binding, bound(older), longer)),
        ).toBeUndefined();
        read += 1;
      } catch (error) {
        if (!(error instanceof DecodeError)) throw error;
        // Text that is required is written also where it is empty, and a reader without the field would drop it.
        expect(error.message).toContain("that the schema has no field for");
      }
    });
    fc.assert(property, { numRuns: 300, seed: SEED });
    expect(read).toBeGreaterThan(100);
  });

  it("are read with the root that is null", () => {
    const carried = dataset([
      {
        name: "M",
        fields: [
          field("n", scalar("int32"), implicit),
          field("t", scalar("string"), implicit),
          field("l", scalar("bool"), list),
        ],
      },
    ]);
    const bytes = Buffer.from("00000000010000000000000000000000", "hex");
    const write = bindings.plain(carried).writer!({ path: [], record: 0, field: "n" });
    expect(() => write(Uint8Array.from(bytes), 1)).toThrow("capnp at n: not in the message");
    expect(decodeUntrusted("capnp-ts", bindings.plain(carried), carried, bytes)).toEqual({
      n: 0,
      t: "",
      l: [],
    });
  });
});

function asBigints(schema: Schema, value: Value): Value {
  return conform(schema, value, { form: "plain", int64: "bigint" }).value;
}
