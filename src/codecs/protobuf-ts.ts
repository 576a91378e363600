import type { IMessageType, PartialFieldInfo, ScalarType } from "@protobuf-ts/runtime";
import { verifyProtobuf } from "../formats/protobuf-verifier/index.ts";
import { type Binding, bytesOf, defineCodec, type Encoded, type PageCode } from "../model/codec.ts";
import type { Dataset } from "../model/dataset.ts";
import { defined } from "../model/defined.ts";
import { DecodeError, UnsupportedError } from "../model/errors.ts";
import { literal } from "../model/generated-code.ts";
import {
  type Field,
  type FieldType,
  hasPresence,
  type Int64Mode,
  is64Bit,
  type MessageType,
  reachableMessages,
  type Schema,
} from "../model/schema.ts";
import { childPath, type Value, walk } from "../model/value.ts";
import { compileConversion } from "../schema/generate/copy.ts";
import { compileProtobufReader } from "../schema/generate/read-protobuf.ts";
import { compileVisitor } from "../schema/generate/visit.ts";
import { refuseChanged } from "../schema/given-back.ts";
import {
  checkProtobuf,
  isGroup,
  isImplicit,
  isPacked,
  oneofNames,
  protobufScalar,
} from "../schema/layout/protobuf.ts";
import { protobufShape, refuseMisread } from "../schema/layout/protobuf-shape.ts";
import { pageCode } from "../schema/page-code.ts";
import { MAX_DECODED_VALUES } from "../schema/values/conform.ts";
import { deciding } from "../schema/values/transcode.ts";

type Library = typeof import("@protobuf-ts/runtime");
type Message = IMessageType<object>;

/** The root's type. `LongType` is by the values: the library's own default is bigint. */
function messageType(library: Library, { schema, int64 }: Dataset): Message {
  const types = new Map<string, Message>();
  const L = int64 === "bigint" ? library.LongType.BIGINT : library.LongType.NUMBER;
  /** What holds one value of a type. */
  const held = (type: FieldType): object => {
    if (type.kind === "message") return { kind: "message", T: () => types.get(type.name)! };
    if (type.kind === "enum") return { kind: "enum", T: () => [type.name, {}] };
    const T = scalarType(library, type.scalar);
    return { kind: "scalar", T, ...(is64Bit(type.scalar) && { L }) };
  };
  const fieldInfo = (field: Field, oneof: string | undefined): PartialFieldInfo => {
    const { name, number: no, type, repetition } = field;
    if (oneof !== undefined)
      return { no, name, localName: memberName(field), oneof, ...held(type) } as PartialFieldInfo;
    const names = { no, name, localName: name };
    if (repetition.kind === "map") {
      const K = scalarType(library, repetition.key);
      return { ...names, kind: "map", K, V: held(type) } as PartialFieldInfo;
    }
    const { PACKED, UNPACKED } = library.RepeatType;
    const repeat = repetition.kind === "list" ? (isPacked(field) ? PACKED : UNPACKED) : undefined;
    // A message is optional by itself.
    const opt = repeat === undefined && type.kind !== "message" && !isImplicit(field) ? true : undefined;
    return { ...names, ...held(type), ...defined({ repeat, opt }) } as PartialFieldInfo;
  };
  for (const message of reachableMessages(schema)) {
    for (const field of message.fields) refuseField(message, field);
    const oneofs = oneofNames(message.fields);
    const fields = message.fields.map((field) => fieldInfo(field, oneofs.get(field)));
    types.set(message.name, new library.MessageType(message.name, fields));
  }
  return types.get(schema.root)!;
}

/** The name of a member beside that of a oneof's case. */
function memberName({ name }: Field): string {
  return name === "oneofKind" ? "oneofKind$" : name;
}

/** Between plain values and the library's: a oneof there is an object of its own, with its case and that member. Undefined without oneofs. */
function compileOneofs(schema: Schema): Partial<{
  readonly to: (value: Value) => object;
  readonly from: (message: unknown) => Value;
}> {
  const leaf = (): undefined => undefined;
  const to = compileConversion<Value, object>(schema, {
    leaf,
    oneofs: {
      write: (field, { fields }, value) => {
        const oneof = oneofNames(fields).get(field);
        if (oneof === undefined) return undefined;
        const member = literal(memberName(field));
        return {
          set: `o.${oneof} = { oneofKind: ${member}, ${member}: ${value} };`,
          none: `    ${oneof}: { oneofKind: undefined },\n`,
        };
      },
    },
  });
  const from = compileConversion<unknown, Value>(schema, {
    leaf,
    oneofs: {
      read: (field, { fields }) => {
        const oneof = oneofNames(fields).get(field);
        const member = literal(memberName(field));
        return oneof && `(m.${oneof}.oneofKind === ${member} ? m.${oneof}[${member}] : undefined)`;
      },
    },
  });
  return defined({ to, from });
}

function scalarType({ ScalarType }: Library, scalar: Parameters<typeof protobufScalar>[0]): ScalarType {
  return ScalarType[protobufScalar(scalar).toUpperCase() as keyof typeof ScalarType];
}

/** Throws UnsupportedError for a field that the library changes or cannot read. */
function refuseField(message: MessageType, field: Field): void {
  const refuse = (problem: string): never => {
    throw new UnsupportedError(`${childPath(message.name, field.name)}: @protobuf-ts/runtime ${problem}`);
  };
  if (isGroup(field)) refuse("has no groups");
  if (field.name === "__proto__") refuse("cannot have a field of that name");
  // A message inherits it, where it is absent.
  if (hasPresence(field) && field.name in Object.prototype)
    refuse("finds what every object inherits by that name");
}

/** Throws DecodeError for a map's key `__proto__`, which the library assigns, and so loses in silence. */
function refuseProtoKey(schema: Schema, int64: Int64Mode, bytes: Uint8Array): void {
  // As a text it is rare too, and only then are the bytes read twice.
  if (Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).indexOf("__proto__") < 0) return;
  walk(compileProtobufReader(schema, int64)(bytes), (_, path, name) => {
    if (name === "__proto__") {
      throw new DecodeError("protobuf", "@protobuf-ts/runtime loses the key __proto__", {
        code: "unsupported",
        path: path(),
      });
    }
  });
}

function bindProtobufTs(library: Library, dataset: Dataset): Binding {
  const { schema, int64 } = dataset;
  checkProtobuf(schema);
  const type = messageType(library, dataset);
  const shape = protobufShape(schema);
  const visit = compileVisitor(schema);
  const hasNames = reachableMessages(schema).some(({ fields }) =>
    fields.some(({ repetition }) => repetition.kind === "map" && repetition.key === "string"),
  );
  const { to, from } = compileOneofs(schema);
  const read = (encoded: Encoded): object => type.fromBinary(bytesOf(encoded, "protobuf"));
  const plain = from ?? ((message: unknown) => message as Value);
  const binding = deciding("protobuf", dataset, {
    build: (to ?? ((value) => value)) as (value: Value) => unknown,
    write: (message) => type.toBinary(message as object),
    read,
    plain,
    access: (encoded) => visit(plain(read(encoded))),
    text: "utf16",
    direct: { build: to === undefined, plain: from === undefined },
    verify: (encoded, { strict = false, unknown = "refuse", maxValues, onLeftOut } = {}) => {
      const bytes = bytesOf(encoded, "protobuf");
      const report = verifyProtobuf(bytes, shape, {
        integers: int64 === "number" ? "safe" : "any",
        values: maxValues ?? MAX_DECODED_VALUES,
        unknownFields: unknown,
        strict,
      });
      refuseMisread(report, "@protobuf-ts/runtime");
      onLeftOut?.(report.unknown);
      if (hasNames) refuseProtoKey(schema, int64, bytes);
    },
  });
  // A key __proto__, and -0 where zero is left out.
  return refuseChanged("@protobuf-ts/runtime", binding, dataset.values);
}

/** The types of a schema as protoc-gen-ts prints them. */
function pageOf(library: Library, dataset: Dataset): PageCode {
  /** What a type is made of, in place of the type. */
  class Described {
    readonly args: readonly [string, readonly PartialFieldInfo[]];
    constructor(...args: Described["args"]) {
      this.args = args;
      described.push(this);
    }
  }
  const described: Described[] = [];
  const root = messageType({ ...library, MessageType: Described } as unknown as Library, dataset);
  const print = (value: unknown): string => {
    if (value instanceof Described) return `m${described.indexOf(value)}`;
    if (typeof value === "function") return `() => ${print(value())}`;
    if (Array.isArray(value)) return `[${value.map(print).join()}]`;
    if (typeof value !== "object" || value === null) return JSON.stringify(value);
    return `{${Object.entries(value)
      .map(([key, held]) => `${JSON.stringify(key)}:${print(held)}`)
      .join()}}`;
  };
  const types = described.map(
    ({ args }, index) => `const m${index} = new MessageType(${args.map(print).join()});`,
  );
  return pageCode(
    `import { MessageType } from "@protobuf-ts/runtime";\n${types.join("\n")}`,
    `(message) => ${print(root)}.toBinary(message)`,
    `(bytes) => ${print(root)}.fromBinary(bytes)`,
  );
}

export default defineCodec<Library>({
  format: "protobuf",
  library: "@protobuf-ts/runtime",
  tried: "2.11.1",
  load: () => import("@protobuf-ts/runtime"),
  traits: ["evolves", "binary"],
  summary:
    "a MessageType of the schema, toBinary and fromBinary; 64-bit integers as the values have them; a oneof as its oneofKind",
  bind: (dataset, library) => bindProtobufTs(library, dataset),
  page: (dataset, library) => pageOf(library, dataset),
});
