/**
 * The plainest direct use of each optional library on the address book, by the name of its codec: functions that encode and
 * decode one value. `values` are others where the library cannot carry those.
 */
export const adapters = {
  "fast-json-stringify": () => ({
    direct: () =>
      import("fast-json-stringify").then(({ default: build }) => {
        const stringify = build({
          type: "object",
          required: ["info"],
          properties: {
            info: {
              type: "array",
              items: {
                type: "object",
                required: ["id", "name", "age", "gender", "phone_num"],
                properties: {
                  id: { type: "integer" },
                  name: { type: "string" },
                  age: { type: "integer" },
                  gender: { type: "integer" },
                  phone_num: { type: "integer" },
                },
              },
            },
          },
        });
        return text({ stringify, parse: JSON.parse });
      }),
  }),
  devalue: () => ({ direct: () => import("devalue").then(text) }),
  superjson: () => ({ direct: () => import("superjson").then(text) }),
  seroval: () => ({
    direct: () =>
      import("seroval").then(({ toJSON, fromJSON }) =>
        text({
          stringify: (value) => JSON.stringify(toJSON(value)),
          parse: (json) => fromJSON(JSON.parse(json)),
        }),
      ),
  }),
  flexbuffers: ({ values }) => ({
    // Its reader fails beside integers of more than 32 bits.
    values: values.map(({ info }) => ({
      info: info.map((one) => ({ ...one, phone_num: one.phone_num % 2 ** 31 })),
    })),
    direct: () =>
      import("flatbuffers/js/flexbuffers.js").then(({ encode, toObject }) => ({
        encode: (value) => encode(value),
        decode: (bytes) => toObject(bytes.buffer),
      })),
  }),
  "apache-arrow": () => ({
    direct: () =>
      import("apache-arrow").then(
        ({ makeVector, Table, tableFromIPC, tableToIPC, Utf8, vectorFromArray }) => ({
          encode: ({ info }) =>
            tableToIPC(
              new Table({
                id: makeVector(Uint32Array.from(info, ({ id }) => id)),
                name: vectorFromArray(
                  info.map(({ name }) => name),
                  new Utf8(),
                ),
                age: makeVector(Uint8Array.from(info, ({ age }) => age)),
                gender: makeVector(Int8Array.from(info, ({ gender }) => gender)),
                phone_num: makeVector(BigUint64Array.from(info, ({ phone_num }) => BigInt(phone_num))),
              }),
              "stream",
            ),
          decode: (bytes) => {
            const table = tableFromIPC(bytes);
            const [id, name, age, gender, phone] = ["id", "name", "age", "gender", "phone_num"].map(
              (column) => table.getChild(column),
            );
            return {
              info: Array.from({ length: table.numRows }, (_, i) => ({
                id: id.get(i),
                name: name.get(i),
                age: age.get(i),
                gender: gender.get(i),
                phone_num: Number(phone.get(i)),
              })),
            };
          },
        }),
      ),
  }),
  "protobuf-ts": () => ({
    direct: () =>
      import("@protobuf-ts/runtime").then(
        ({ default: { MessageType, ScalarType, LongType, RepeatType } }) => {
          const scalar = (no, name, T, more) => ({
            no,
            name,
            localName: name,
            kind: "scalar",
            T,
            opt: true,
            ...more,
          });
          const person = new MessageType("personal_info", [
            scalar(1, "id", ScalarType.UINT32),
            scalar(2, "name", ScalarType.STRING),
            scalar(3, "age", ScalarType.UINT32),
            { no: 4, name: "gender", kind: "enum", T: () => ["sex_type", {}], opt: true },
            scalar(5, "phone_num", ScalarType.UINT64, { localName: "phone_num", L: LongType.NUMBER }),
          ]);
          const list = new MessageType("tellist", [
            { no: 1, name: "info", kind: "message", repeat: RepeatType.UNPACKED, T: () => person },
          ]);
          return { encode: (value) => list.toBinary(value), decode: (bytes) => list.fromBinary(bytes) };
        },
      ),
  }),
  "protobufjs:static": () => ({
    direct: () =>
      import("../../test/vectors/pbjs/tellist.mjs").then(({ as }) => {
        const type = as.tellist.personal_info_list;
        return {
          encode: (value) => type.encode(value).finish(),
          decode: (bytes) => ({
            info: type.decode(bytes).info.map(({ id, name, age, gender, phone_num }) => ({
              id,
              name,
              age,
              gender,
              phone_num: phone_num.toNumber(),
            })),
          }),
        };
      }),
  }),
  avsc: () => ({
    direct: () =>
      import("avsc").then(({ default: avsc }) => {
        const symbols = ["MALE", "FEMALE", "OTHER"];
        const numbers = { MALE: 0, FEMALE: 1, OTHER: 2 };
        const fields = [
          { name: "id", type: "long" },
          { name: "name", type: "string" },
          { name: "age", type: "int" },
          { name: "gender", type: { type: "enum", name: "gender_type", symbols } },
          { name: "phone_num", type: "long" },
        ];
        const items = { type: "record", name: "person", fields };
        const type = avsc.Type.forSchema({
          type: "record",
          name: "people",
          fields: [{ name: "info", type: { type: "array", items } }],
        });
        return {
          encode: ({ info }) =>
            type.toBuffer({
              info: info.map(({ id, name, age, gender, phone_num }) => ({
                id,
                name,
                age,
                gender: symbols[gender],
                phone_num,
              })),
            }),
          decode: (bytes) => ({
            info: type.fromBuffer(bytes).info.map(({ id, name, age, gender, phone_num }) => ({
              id,
              name,
              age,
              gender: numbers[gender],
              phone_num,
            })),
          }),
        };
      }),
  }),
  "capnp-es": () => ({
    // What `capnp-es book.capnp -ojs` prints, without the accessors that nothing calls.
    direct: () =>
      import("capnp-es").then(({ CompositeList, Message, ObjectSize, Struct, utils }) => {
        class Person extends Struct {
          static _capnp = { displayName: "Person", id: "f2b6a1c9d3e45701", size: new ObjectSize(16, 1) };
          get id() {
            return utils.getUint32(0, this);
          }
          set id(value) {
            utils.setUint32(0, value, this);
          }
          get age() {
            return utils.getUint8(4, this);
          }
          set age(value) {
            utils.setUint8(4, value, this);
          }
          get phoneNum() {
            return utils.getUint64(8, this);
          }
          set phoneNum(value) {
            utils.setUint64(8, value, this);
          }
          get gender() {
            return utils.getUint16(6, this);
          }
          set gender(value) {
            utils.setUint16(6, value, this);
          }
          get name() {
            return utils.getText(0, this);
          }
          set name(value) {
            utils.setText(0, value, this);
          }
        }
        class Book extends Struct {
          static _capnp = { displayName: "Book", id: "f2b6a1c9d3e45702", size: new ObjectSize(0, 1) };
          static _Info = CompositeList(Person);
          get info() {
            return utils.getList(0, Book._Info, this);
          }
          _initInfo(length) {
            return utils.initList(0, Book._Info, length, this);
          }
        }
        return {
          encode: ({ info }) => {
            const message = new Message();
            const list = message.initRoot(Book)._initInfo(info.length);
            for (let i = 0; i < info.length; i++) {
              const { id, name, age, gender, phone_num } = info[i];
              const person = list.get(i);
              person.id = id;
              person.name = name;
              person.age = age;
              person.gender = gender;
              person.phoneNum = BigInt(phone_num);
            }
            return new Uint8Array(message.toArrayBuffer());
          },
          decode: (bytes) => ({
            info: new Message(bytes.buffer, false)
              .getRoot(Book)
              .info.map(({ id, name, age, gender, phoneNum }) => ({
                id,
                name,
                age,
                gender,
                phone_num: Number(phoneNum),
              })),
          }),
        };
      }),
  }),
  bebop: () => ({
    // What bebopc prints for two messages, with the copy that keeps a result.
    direct: () =>
      import("bebop").then(({ BebopView }) => {
        const view = BebopView.getInstance();
        const framed = (write) => (record) => {
          const at = view.reserveMessageLength();
          const start = view.length;
          write(record);
          view.writeByte(0);
          view.fillMessageLength(at, view.length - start);
        };
        const person = framed((record) => {
          if (record.id !== undefined) {
            view.writeByte(1);
            view.writeUint32(record.id);
          }
          if (record.name !== undefined) {
            view.writeByte(2);
            view.writeString(record.name);
          }
          if (record.age !== undefined) {
            view.writeByte(3);
            view.writeUint32(record.age);
          }
          if (record.gender !== undefined) {
            view.writeByte(4);
            view.writeInt32(record.gender);
          }
          if (record.phone_num !== undefined) {
            view.writeByte(5);
            view.writeUint64(BigInt(record.phone_num));
          }
        });
        const book = framed((record) => {
          if (record.info !== undefined) {
            view.writeByte(1);
            view.writeUint32(record.info.length);
            for (let i = 0; i < record.info.length; i++) person(record.info[i]);
          }
        });
        const readPerson = () => {
          const message = {};
          const length = view.readMessageLength();
          const end = view.index + length;
          while (true) {
            switch (view.readByte()) {
              case 0:
                return message;
              case 1:
                message.id = view.readUint32();
                break;
              case 2:
                message.name = view.readString();
                break;
              case 3:
                message.age = view.readUint32();
                break;
              case 4:
                message.gender = view.readInt32();
                break;
              case 5:
                message.phone_num = Number(view.readUint64());
                break;
              default:
                view.index = end;
                return message;
            }
          }
        };
        return {
          encode: (value) => {
            view.startWriting();
            book(value);
            return view.toArray().slice();
          },
          decode: (bytes) => {
            view.startReading(bytes);
            view.readMessageLength();
            view.readByte();
            const info = [];
            for (let n = view.readUint32(); n > 0; n--) info.push(readPerson());
            return { info };
          },
        };
      }),
  }),
  "google-protobuf": () => ({
    // What protoc-gen-js prints for two messages, without what nothing calls.
    direct: () =>
      import("google-protobuf").then(({ default: jspb }) => {
        const { Message, BinaryReader, BinaryWriter } = jspb;
        function Person(data) {
          Message.initialize(this, data, 0, -1, null, null);
        }
        jspb.inherits(Person, Message);
        Person.prototype.getId = function () {
          return Message.getFieldWithDefault(this, 1, 0);
        };
        Person.prototype.setId = function (value) {
          return Message.setField(this, 1, value);
        };
        Person.prototype.getName = function () {
          return Message.getFieldWithDefault(this, 2, "");
        };
        Person.prototype.setName = function (value) {
          return Message.setField(this, 2, value);
        };
        Person.prototype.getAge = function () {
          return Message.getFieldWithDefault(this, 3, 0);
        };
        Person.prototype.setAge = function (value) {
          return Message.setField(this, 3, value);
        };
        Person.prototype.getGender = function () {
          return Message.getFieldWithDefault(this, 4, 0);
        };
        Person.prototype.setGender = function (value) {
          return Message.setField(this, 4, value);
        };
        Person.prototype.getPhoneNum = function () {
          return Message.getFieldWithDefault(this, 5, 0);
        };
        Person.prototype.setPhoneNum = function (value) {
          return Message.setField(this, 5, value);
        };
        Person.serializeBinaryToWriter = (message, writer) => {
          let f = Message.getField(message, 1);
          if (f != null) writer.writeUint32(1, f);
          f = Message.getField(message, 2);
          if (f != null) writer.writeString(2, f);
          f = Message.getField(message, 3);
          if (f != null) writer.writeUint32(3, f);
          f = Message.getField(message, 4);
          if (f != null) writer.writeEnum(4, f);
          f = Message.getField(message, 5);
          if (f != null) writer.writeUint64(5, f);
        };
        Person.deserializeBinaryFromReader = (message, reader) => {
          while (reader.nextField()) {
            if (reader.isEndGroup()) break;
            switch (reader.getFieldNumber()) {
              case 1:
                message.setId(reader.readUint32());
                break;
              case 2:
                message.setName(reader.readString());
                break;
              case 3:
                message.setAge(reader.readUint32());
                break;
              case 4:
                message.setGender(reader.readEnum());
                break;
              case 5:
                message.setPhoneNum(reader.readUint64());
                break;
              default:
                reader.skipField();
            }
          }
          return message;
        };
        function Book(data) {
          Message.initialize(this, data, 0, -1, Book.repeatedFields_, null);
        }
        jspb.inherits(Book, Message);
        Book.repeatedFields_ = [1];
        Book.prototype.getInfoList = function () {
          return Message.getRepeatedWrapperField(this, Person, 1);
        };
        Book.prototype.setInfoList = function (value) {
          return Message.setRepeatedWrapperField(this, 1, value);
        };
        Book.prototype.addInfo = function (value, index) {
          return Message.addToRepeatedWrapperField(this, 1, value, Person, index);
        };
        Book.prototype.serializeBinary = function () {
          const writer = new BinaryWriter();
          Book.serializeBinaryToWriter(this, writer);
          return writer.getResultBuffer();
        };
        Book.serializeBinaryToWriter = (message, writer) => {
          const f = message.getInfoList();
          if (f.length > 0) writer.writeRepeatedMessage(1, f, Person.serializeBinaryToWriter);
        };
        Book.deserializeBinary = (bytes) =>
          Book.deserializeBinaryFromReader(new Book(), new BinaryReader(bytes));
        Book.deserializeBinaryFromReader = (message, reader) => {
          while (reader.nextField()) {
            if (reader.isEndGroup()) break;
            if (reader.getFieldNumber() === 1) {
              const value = new Person();
              reader.readMessage(value, Person.deserializeBinaryFromReader);
              message.addInfo(value);
            } else reader.skipField();
          }
          return message;
        };
        return {
          encode: ({ info }) => {
            const book = new Book();
            book.setInfoList(
              info.map(({ id, name, age, gender, phone_num }) => {
                const person = new Person();
                person.setId(id);
                person.setName(name);
                person.setAge(age);
                person.setGender(gender);
                person.setPhoneNum(phone_num);
                return person;
              }),
            );
            return book.serializeBinary();
          },
          decode: (bytes) => ({
            info: Book.deserializeBinary(bytes)
              .getInfoList()
              .map((person) => ({
                id: person.getId(),
                name: person.getName(),
                age: person.getAge(),
                gender: person.getGender(),
                phone_num: person.getPhoneNum(),
              })),
          }),
        };
      }),
  }),
  bson: () => ({
    direct: () =>
      import("bson").then(({ serialize, deserialize }) => ({
        encode: (value) => serialize(value),
        decode: (bytes) => deserialize(bytes),
      })),
  }),
  "cbor-x": () => ({
    direct: () =>
      import("cbor-x").then(({ Decoder, Encoder }) => {
        const options = { useRecords: false, variableMapSize: true, tagUint8Array: false };
        return coder(new Encoder({ ...options }), new Decoder({ ...options }));
      }),
  }),
  "cbor-x:records": () => ({
    direct: () => import("cbor-x").then(({ Decoder, Encoder }) => coder(new Encoder(), new Decoder())),
  }),
  "ion-js": () => ({
    direct: () =>
      import("ion-js").then(({ default: { IonTypes, makeBinaryWriter, makeReader } }) => ({
        encode: ({ info }) => {
          const writer = makeBinaryWriter();
          writer.stepIn(IonTypes.STRUCT);
          writer.writeFieldName("info");
          writer.stepIn(IonTypes.LIST);
          for (const person of info) {
            writer.stepIn(IonTypes.STRUCT);
            for (const [name, field] of Object.entries(person)) {
              writer.writeFieldName(name);
              if (typeof field === "string") writer.writeString(field);
              else writer.writeInt(field);
            }
            writer.stepOut();
          }
          writer.stepOut();
          writer.stepOut();
          writer.close();
          return writer.getBytes();
        },
        decode: (bytes) => {
          const reader = makeReader(bytes);
          return ionValue(IonTypes, reader, reader.next());
        },
      })),
  }),
  cborg: () => ({ direct: () => import("cborg") }),
  msgpackr: () => msgpackr({ useRecords: false, variableMapSize: true }),
  "msgpackr:records": () => msgpackr({}),
  "msgpackr:bundle-strings": () => msgpackr({ bundleStrings: true }),
  // Both sides have one list, to which the first message that is written adds its keys.
  "msgpackr:structures": () => msgpackr({ structures: [] }),
  msgpack: () => ({
    direct: () =>
      import("@msgpack/msgpack").then(({ Decoder, Encoder }) => coder(new Encoder(), new Decoder())),
  }),
  pbf: () => ({
    direct: () =>
      Promise.all([import("pbf"), import("pbf/compile")]).then(([{ PbfReader, PbfWriter }, { compile }]) => {
        const field = (name, tag, type, repeated = false) => ({ name, tag, type, repeated, options: {} });
        const code = compile({
          syntax: 2,
          enums: [
            {
              name: "gender_type",
              values: { MALE: { value: 0 }, FEMALE: { value: 1 }, OTHER: { value: 2 } },
            },
          ],
          messages: [
            { name: "people", fields: [field("info", 1, "person", true)] },
            {
              name: "person",
              fields: [
                field("id", 1, "uint32"),
                field("name", 2, "string"),
                field("age", 3, "uint32"),
                field("gender", 4, "gender_type"),
                field("phone_num", 5, "uint64"),
              ],
            },
          ],
        });
        return {
          encode: (value) => {
            const writer = new PbfWriter();
            code.writepeople(value, writer);
            return writer.finish();
          },
          decode: (bytes) => code.readpeople(new PbfReader(bytes)),
        };
      }),
  }),
  "protobuf-es": () => protobufEs(({ create }, type, init) => create(type, init)),
  "protobuf-es:plain": () =>
    protobufEs((_, { typeName, fields }, { info }) => {
      const $typeName = fields[0].message.typeName;
      return { $typeName: typeName, info: info.map((person) => ({ $typeName, ...person })) };
    }),
};

/** A library with an object for each way. */
function coder(encoder, decoder) {
  return { encode: (value) => encoder.encode(value), decode: (bytes) => decoder.decode(bytes) };
}

/**
 * The value on which a reader of ion-js stands, by the types that the message has: like the codec, it knows no schema. The `numberValue`
 * alone would round a long integer, which is other work.
 */
function ionValue(types, reader, type) {
  if (type === types.STRING) return reader.stringValue();
  if (type === types.INT) {
    const number = reader.numberValue();
    return Number.isSafeInteger(number) ? number : reader.bigIntValue();
  }
  const value = type === types.LIST ? [] : {};
  reader.stepIn();
  for (let next = reader.next(); next !== null; next = reader.next()) {
    if (type === types.LIST) value.push(ionValue(types, reader, next));
    else value[reader.fieldName()] = ionValue(types, reader, next);
  }
  reader.stepOut();
  return value;
}

function msgpackr(options) {
  return {
    direct: () =>
      import("msgpackr").then(({ Packr, Unpackr }) => coder(new Packr(options), new Unpackr(options))),
  };
}

/** @param make makes a message of its fields */
function protobufEs(make) {
  const direct = () =>
    Promise.all([import("@bufbuild/protobuf"), import("@bufbuild/protobuf/wkt")]).then(
      ([library, { FileDescriptorSetSchema }]) => {
        const { create, createFileRegistry, fromBinary, toBinary } = library;
        const field = (name, number, type, more) => ({ name, number, type, label: 1, ...more });
        const file = {
          name: "book.proto",
          syntax: "proto2",
          enumType: [
            { name: "G", value: ["MALE", "FEMALE", "OTHER"].map((name, number) => ({ name, number })) },
          ],
          messageType: [
            { name: "B", field: [field("info", 1, 11, { typeName: ".P", label: 3 })] },
            {
              name: "P",
              field: [
                field("id", 1, 13),
                field("name", 2, 9),
                field("age", 3, 13),
                field("gender", 4, 14, { typeName: ".G" }),
                field("phone_num", 5, 4),
              ],
            },
          ],
        };
        const registry = createFileRegistry(create(FileDescriptorSetSchema, { file: [file] }));
        const type = registry.getMessage("B");
        return {
          encode: ({ info }) =>
            toBinary(
              type,
              make(library, type, {
                info: info.map(({ id, name, age, gender, phone_num }) => ({
                  id,
                  name,
                  age,
                  gender,
                  phoneNum: BigInt(phone_num),
                })),
              }),
            ),
          decode: (bytes) => ({
            info: fromBinary(type, bytes).info.map(({ id, name, age, gender, phoneNum }) => ({
              id,
              name,
              age,
              gender,
              phone_num: Number(phoneNum),
            })),
          }),
        };
      },
    );
  return { direct };
}

/** A library of text, as UTF-8. */
function text({ stringify, parse }) {
  return {
    encode: (value) => Buffer.from(stringify(value), "utf8"),
    decode: (bytes) => parse(bytes.toString("utf8")),
  };
}
