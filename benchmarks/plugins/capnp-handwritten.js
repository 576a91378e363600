// The address book through classes written by hand, accessor for accessor what capnp-ts's own generator makes of
// schemas/tellist.capnp: what the codec `capnp-ts`, which generates its own code, is measured against.
import { CompositeList, Data, Message, ObjectSize, Struct } from "capnp-ts";
import { SingleSegmentArena } from "capnp-ts/src/serialization/arena/index.js";
import { defineCodec, UnsupportedError } from "wirebench";

class PersonalInfo extends Struct {
  static _capnp = { displayName: "PersonalInfo", id: "a0c5e387ae6f276d", size: new ObjectSize(16, 1) };

  getId() {
    return Struct.getUint32(0, this);
  }
  setId(value) {
    Struct.setUint32(0, value, this);
  }
  getName() {
    return Struct.getText(0, this);
  }
  setName(value) {
    Struct.setText(0, value, this);
  }
  getAge() {
    return Struct.getUint8(4, this);
  }
  setAge(value) {
    Struct.setUint8(4, value, this);
  }
  getGender() {
    return Struct.getUint16(6, this);
  }
  setGender(value) {
    Struct.setUint16(6, value, this);
  }
  getPhoneNum() {
    return Struct.getUint64(8, this);
  }
  setPhoneNum(value) {
    Struct.setUint64(8, value, this);
  }
}

class PersonalInfoList extends Struct {
  static _capnp = { displayName: "PersonalInfoList", id: "faf43ad49ab89ce1", size: new ObjectSize(0, 1) };
  static _Info = CompositeList(PersonalInfo);

  getInfo() {
    return Struct.getList(0, PersonalInfoList._Info, this);
  }
  hasInfo() {
    return !Struct.isNull(Struct.getPointer(0, this));
  }
  initInfo(length) {
    return Struct.initList(0, PersonalInfoList._Info, length, this);
  }
}

function fill(root, { info }) {
  const list = root.initInfo(info.length);
  for (let i = 0; i < info.length; i++) {
    const from = info[i];
    const to = list.get(i);
    to.setId(from.id);
    to.setName(from.name);
    to.setAge(from.age);
    to.setGender(from.gender);
    to.setPhoneNum(BigInt(from.phone_num));
  }
}

function plain(root) {
  const info = [];
  if (!root.hasInfo()) return { info };
  const list = root.getInfo();
  const length = list.getLength();
  for (let i = 0; i < length; i++) {
    const person = list.get(i);
    info.push({
      id: person.getId(),
      name: person.getName(),
      age: person.getAge(),
      gender: person.getGender(),
      phone_num: Number(person.getPhoneNum()),
    });
  }
  return { info };
}

function visit(root) {
  if (!root.hasInfo()) return 0;
  const list = root.getInfo();
  const length = list.getLength();
  let sum = length;
  for (let i = 0; i < length; i++) {
    const person = list.get(i);
    const name = Data.fromPointer(Struct.getPointer(0, person));
    const bytes = name.getLength() - 1;
    const text = bytes > 0 ? bytes + name.get(0) : 0;
    const phone = Number(BigInt.asIntN(32, person.getPhoneNum()));
    sum = (sum + person.getId() + text + person.getAge() + person.getGender() + phone) | 0;
  }
  return sum;
}

function bind({ schema, int64 }) {
  if (schema.root !== "as.tellist.personal_info_list" || int64 !== "number") {
    throw new UnsupportedError("written for the address book with phone numbers that are numbers");
  }
  let bytesBefore = 4096;
  const read = (bytes) => {
    const whole = bytes.byteLength === bytes.buffer.byteLength;
    return new Message(whole ? bytes.buffer : bytes, false).getRoot(PersonalInfoList);
  };
  return {
    build(value) {
      const message = new Message(new SingleSegmentArena(new ArrayBuffer(bytesBefore)));
      fill(message.initRoot(PersonalInfoList), value);
      bytesBefore = message.getSegment(0).byteLength;
      return message;
    },
    write: (message) => new Uint8Array(message.toArrayBuffer()),
    read,
    plain,
    access: (bytes) => visit(read(bytes)),
    text: "utf8",
    direct: { build: false, plain: false },
    verify: () => {},
  };
}

export default defineCodec({
  format: "capnp",
  library: "capnp-ts",
  summary: "classes written by hand, like those of the official generator",
  bind,
});
