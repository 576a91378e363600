"""Random bytes that are odd but well-formed messages, and what Google's runtime reads in them.

Odd are varints wider than their type, unknown fields and enum numbers, other wire types, packed and single
elements of one list, fields given twice, and entries of maps without their key or value. Entries with unknown
fields are left out: C++ keeps such an entry, Python's runtime drops it.

    pip install protobuf==7.36.2
    protoc --descriptor_set_out=odd.ds odd2.proto odd3.proto
    python3 odd-bytes.py odd.ds 1 160 > odd-bytes.json

Each case is [message, hex, value]: numbers as decimal text, floats as the hex of a big-endian double, bytes as
hex; null for what the runtime refuses.
"""

import json
import random
import struct
import sys

from google.protobuf import descriptor_pb2, descriptor_pool, message_factory
from google.protobuf.descriptor import FieldDescriptor as F
from google.protobuf.message import DecodeError

VARINTS = {F.TYPE_BOOL, F.TYPE_INT32, F.TYPE_UINT32, F.TYPE_SINT32, F.TYPE_INT64, F.TYPE_UINT64, F.TYPE_SINT64,
           F.TYPE_ENUM}
FIXED32 = {F.TYPE_FIXED32, F.TYPE_SFIXED32, F.TYPE_FLOAT}
FIXED64 = {F.TYPE_FIXED64, F.TYPE_SFIXED64, F.TYPE_DOUBLE}

pool = descriptor_pool.DescriptorPool()
with open(sys.argv[1], "rb") as file:
    for proto in descriptor_pb2.FileDescriptorSet.FromString(file.read()).file:
        pool.Add(proto)
chance = random.Random(int(sys.argv[2]))


def varint(number, least=1):
    number &= 2**64 - 1
    groups = []
    while number or len(groups) < least:
        groups.append(number & 127)
        number >>= 7
    return bytes([group | 128 for group in groups[:-1]] + groups[-1:])


def any_varint():
    number = chance.choice([
        0, 1, 2, -1, -2, 2**31, 2**32, 2**32 + 1, 2**33, 2**53, 2**63, 2**64 - 1, -2**31 - 1, 0xFFFFFFFE, 70000,
        chance.randrange(8), chance.randrange(256), chance.randrange(2**32), chance.randrange(2**40),
        chance.randrange(2**64)])
    return varint(number, chance.choice([1, 1, 1, 3, 5, 10]))


def some_bytes(count):
    return bytes(chance.randrange(256) for _ in range(count))


def delimited(content):
    return varint(len(content)) + content


def wire_of(field):
    if field.type in VARINTS:
        return 0
    if field.type in FIXED32:
        return 5
    if field.type in FIXED64:
        return 1
    return 3 if field.type == F.TYPE_GROUP else 2


def any_value(wire, number, depth):
    if wire == 0:
        return any_varint()
    if wire == 3:
        return b"".join(unknown(depth + 1) for _ in range(chance.randrange(3))) + varint(number * 8 + 4)
    return delimited(some_bytes(chance.randrange(6))) if wire == 2 else some_bytes(8 if wire == 1 else 4)


def value(field, depth):
    wire = wire_of(field)
    if field.type == F.TYPE_STRING:
        return delimited(chance.choice(["", "a", "hello", "é日😀", "\0"]).encode())
    if field.message_type is None:
        return any_value(wire, field.number, depth)
    content = message(field.message_type, depth + 1)
    return content + varint(field.number * 8 + 4) if wire == 3 else delimited(content)


def unknown(depth):
    number = chance.choice([500, 1000, 77777, 2**29 - 1])
    wire = chance.choice([0, 1, 2, 5] if depth > 3 else [0, 1, 2, 3, 5])
    return varint(number * 8 + wire) + any_value(wire, number, depth)


def part(descriptor, depth):
    if chance.random() < 0.12:
        return unknown(depth)
    field = chance.choice(descriptor.fields)
    if field.message_type is not None and depth > 2:
        return b""
    wire = wire_of(field)
    if wire in (0, 1, 5) and field.is_repeated and chance.random() < 0.5:
        content = b"".join(any_value(wire, 0, 0) for _ in range(chance.randrange(5)))
        return varint(field.number * 8 + 2) + delimited(content)
    if chance.random() < 0.06:
        other = chance.choice([0, 1, 2, 3, 5])
        return varint(field.number * 8 + other) + any_value(other, field.number, depth)
    return varint(field.number * 8 + wire, chance.choice([1] * 9 + [5])) + value(field, depth)


def message(descriptor, depth):
    if not descriptor.GetOptions().map_entry:
        return b"".join(part(descriptor, depth) for _ in range(chance.randrange(5 if depth else 8)))
    content = b""
    for field in descriptor.fields:
        if chance.random() < 0.95:
            content += varint(field.number * 8 + wire_of(field)) + value(field, depth)
    return content


def leaf(field, held):
    if field.message_type is not None:
        return fields_of(held)
    if field.type == F.TYPE_BYTES:
        return held.hex()
    if field.type in (F.TYPE_FLOAT, F.TYPE_DOUBLE):
        return struct.pack(">d", held).hex() if held == held else "nan"
    return held if field.type in (F.TYPE_BOOL, F.TYPE_STRING) else str(int(held))


def fields_of(read):
    fields = {}
    for field in read.DESCRIPTOR.fields:
        held = getattr(read, field.name)
        if field.message_type is not None and field.message_type.GetOptions().map_entry:
            one = field.message_type.fields_by_number[2]
            keys = {key: str(key).lower() if isinstance(key, bool) else str(key) for key in list(held)}
            fields[field.name] = {text: leaf(one, held[key]) for key, text in keys.items()}
        elif field.is_repeated:
            fields[field.name] = [leaf(field, item) for item in held]
        elif not field.has_presence or read.HasField(field.name):
            fields[field.name] = leaf(field, held)
    # What has no presence and is empty is left out, to be read by people.
    empty = ([], {}, "", "0", False, "0" * 16)
    by_name = read.DESCRIPTOR.fields_by_name
    return {name: held for name, held in fields.items() if by_name[name].has_presence or held not in empty}


cases = []
while len(cases) < int(sys.argv[3]):
    descriptor = pool.FindMessageTypeByName(chance.choice(["odd2.M", "odd3.M"]))
    content = message(descriptor, 0)
    read = message_factory.GetMessageClass(descriptor)()
    try:
        read.ParseFromString(content)
        cases.append([descriptor.full_name, content.hex(), fields_of(read)])
    except DecodeError:
        cases.append([descriptor.full_name, content.hex(), None])
print("[\n" + ",\n".join(json.dumps(case, ensure_ascii=False) for case in cases) + "\n]")
