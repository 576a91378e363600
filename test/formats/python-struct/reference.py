"""CPython's struct on lines of JSON: [format, values or null, bytes as hex or null] in, [size, packed, unpacked] out.

Values are {"int": decimal}, {"float": eight bytes as hex}, {"bytes": hex}, true and false; null stands for an error.
"""
import json
import struct
import sys


def value_of(tagged):
    if isinstance(tagged, bool):
        return tagged
    if "int" in tagged:
        return int(tagged["int"])
    if "bytes" in tagged:
        return bytes.fromhex(tagged["bytes"])
    return struct.unpack(">d", bytes.fromhex(tagged["float"]))[0]


def tagged(value):
    if isinstance(value, bool):
        return value
    if isinstance(value, int):
        return {"int": str(value)}
    if isinstance(value, bytes):
        return {"bytes": value.hex()}
    return {"float": struct.pack(">d", value).hex()}


def attempt(action):
    try:
        return action()
    except (struct.error, OverflowError, UnicodeEncodeError):
        return None


for line in sys.stdin:
    form, values, data = json.loads(line)
    size = attempt(lambda: struct.calcsize(form))
    packed = unpacked = None
    if values is not None:
        packed = attempt(lambda: struct.pack(form, *map(value_of, values)).hex())
    if data is not None:
        unpacked = attempt(lambda: [tagged(value) for value in struct.unpack(form, bytes.fromhex(data))])
    print(json.dumps([size, packed, unpacked]))
