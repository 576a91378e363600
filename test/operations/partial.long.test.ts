/** Operations on a part of a message, for every codec: pick, reads and update. */
import { describe, expect, it } from "vitest";
import { Registry } from "../../src/catalog/registry.ts";
import tellist from "../../src/datasets/tellist.ts";
import type { Binding } from "../../src/model/codec.ts";
import type { Dataset } from "../../src/model/dataset.ts";
import { UnsupportedError, UsageError, VerificationError } from "../../src/model/errors.ts";
import type { OperationContext, Task } from "../../src/model/operation.ts";
import { compileProbe, compileVisitor } from "../../src/schema/generate/visit.ts";
import { readSweep } from "../../src/schema/selection.ts";
import { encodeValue } from "../../src/schema/values/transcode.ts";
import { bookFor } from "../address-book.ts";

const registry = await Registry.open();
const codecs = await registry.selectCodecs(["*"]);
const book: Dataset = {
  name: "tellist",
  schema: tellist.schema,
  values: [0, 1, 2].map((index) => tellist.make(9, index)),
  int64: "number",
};
const { schema, values } = book;
const sweep = readSweep(schema, values).map(({ name }) => name);

async function contextOf(codec: string, change: (binding: Binding) => Binding = (binding) => binding) {
  const values = book.values.map((_, index) => bookFor(codec, 9, index));
  const binding = change(await (await registry.codec(codec)).bind({ ...book, values }));
  const context: OperationContext = {
    schema,
    binding,
    values,
    encoded: values.map((value) => encodeValue(binding, value)),
    probe: compileProbe(schema),
    checksum: compileVisitor(schema, { long: "plain", text: binding.text }),
  };
  return context;
}

async function taskOf(operation: string, context: OperationContext): Promise<Task> {
  return (await registry.definition("operations", operation)).prepare(context);
}

/** Runs all inputs twice, as the sampler does before and after it times them: the same folds come out. */
function expectSound(task: Task): void {
  const folds = [0, 1].map(() =>
    task.inputs.map((input, index) => {
      const result = task.run(input);
      task.check(result, index);
      return task.fold(result);
    }),
  );
  expect(folds[0]).toEqual(folds[1]);
}

it.each(codecs)("%s picks, updates and reads, and its messages stay as they are", async (codec) => {
  const context = await contextOf(codec);
  const hex = (): string[] =>
    context.encoded.map((encoded) => Buffer.from(encoded as Uint8Array).toString("hex"));
  const kept = hex();
  for (const operation of ["pick", "update", ...sweep]) expectSound(await taskOf(operation, context));
  expect(hex()).toEqual(kept);
});

describe("update", () => {
  it.each(["flatbuffers", "capnp-ts", "raw-struct"])(
    "of %s is found out when it writes nothing",
    async (codec) => {
      const context = await contextOf(codec, (binding) => ({ ...binding, writer: () => () => {} }));
      const task = await taskOf("update", context);
      expect(() => expectSound(task)).toThrow(VerificationError);
    },
  );

  it("is found out when it writes elsewhere too", async () => {
    const context = await contextOf("raw-struct", (binding) => ({
      ...binding,
      writer: (place) => (bytes, value) => {
        binding.writer!(place)(bytes, value);
        bytes[12] = 7;
      },
    }));
    const task = await taskOf("update", context);
    expect(() => expectSound(task)).toThrow(VerificationError);
  });

  it.each(["flatbuffers", "capnp-ts", "raw-struct"])(
    "of %s changes what a fold sees at each call",
    async (codec) => {
      const task = await taskOf("update", await contextOf(codec));
      const folds = task.inputs.map((input) => task.fold(task.run(input)));
      expect(folds).toHaveLength(2 * values.length);
      for (const [index] of values.entries()) expect(folds[index]).not.toBe(folds[index + values.length]);
    },
  );

  it("encodes anew where there is no writer", async () => {
    const context = await contextOf("raw-struct", ({ writer: _, ...binding }) => binding);
    const task = await taskOf("update", context);
    expectSound(task);
    const [changed] = task.inputs.map((input) => task.run(input)) as Uint8Array[];
    const places = [...changed!].flatMap((byte, at) =>
      byte === (context.encoded[0] as Uint8Array)[at] ? [] : [at],
    );
    expect(places).toHaveLength(1);
  });
});

describe("reads", () => {
  it("is found out when it reads another part", async () => {
    const context = await contextOf("flatbuffers", (binding) => ({
      ...binding,
      reader: (selection) => binding.reader!({ ...selection, first: 1 }),
    }));
    for (const operation of ["pick", "reads:4:1"]) {
      const task = await taskOf(operation, context);
      expect(() => expectSound(task), operation).toThrow(VerificationError);
    }
  });

  it("expects an argument", async () => {
    const context = await contextOf("json");
    await expect(taskOf("reads", context)).rejects.toThrow('operation "reads": expected reads:STEP:FIELDS');
  });

  it.each(["", "1", "1:", ":1", "-1:1", "1:1:1", "1.5:2", "x:y", "1e3:2", "12345678901:1"])(
    "refuses the argument %j",
    async (argument) => {
      const definition = registry.definition("operations", `reads:${argument}`);
      await expect(definition).rejects.toThrow(UsageError);
      await expect(definition).rejects.toThrow(`operation "reads:${argument}": expected reads:STEP:FIELDS`);
    },
  );

  it("refuses more fields than a record has", async () => {
    const reading = taskOf("reads:1:6", await contextOf("json"));
    await expect(reading).rejects.toThrow(UnsupportedError);
    await expect(reading).rejects.toThrow("as.tellist.personal_info: expected at most its 5 fields, got 6");
  });

  it("is the only operation with an argument", async () => {
    await expect(registry.definition("operations", "pick:1")).rejects.toThrow(
      'operation "pick" takes no argument',
    );
    await expect(registry.definition("operations", "x:1")).rejects.toThrow('unknown operation "x:1"');
  });
});
