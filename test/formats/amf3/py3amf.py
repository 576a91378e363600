"""Reads and writes AMF3 by Py3AMF, for tests: one JSON document in, one out.

In: {"encode": [notation, ...], "decode": [hex, ...]}. Out: the hex of each and the notation of each. An error is
{"error": text}. The notation is that of notation.ts.
"""
import datetime
import json
import struct
import sys

import pyamf
from pyamf import amf3, util


class Point(object):
    class __amf__:
        static = ("x", "y")
        dynamic = False


class Bag(object):
    class __amf__:
        static = ("name",)
        dynamic = True


CLASSES = {"test.Point": Point, "test.Bag": Bag}
for name, one in CLASSES.items():
    pyamf.register_class(one, name)


def value_of(notation, objects):
    """The Python value of a notation. Py3AMF knows objects by their id, so that each stays alive in `objects`."""
    if not isinstance(notation, list):
        return notation
    kind, *rest = notation
    if kind == "undefined":
        return pyamf.Undefined
    if kind == "integer":
        return rest[0]
    if kind == "double":
        return float("nan") if rest[0] == "nan" else struct.unpack(">d", bytes.fromhex(rest[0]))[0]
    if kind == "ref":
        return objects[rest[0]]
    make = {
        "bytes": lambda: amf3.ByteArray(bytes.fromhex(rest[0])),
        "date": lambda: util.get_datetime(rest[0] / 1000.0),
        "list": list,
        "object": dict,
        "ecma": pyamf.MixedArray,
        "typed": lambda: CLASSES[rest[0]](),
    }[kind]
    one = make()
    objects.append(one)
    if kind == "list":
        one.extend(value_of(item, objects) for item in rest[0])
    elif kind == "object":
        one.update((key, value_of(item, objects)) for key, item in rest[0])
    elif kind == "ecma":
        for key, item in rest[0]:
            one[key] = value_of(item, objects)
        for key, item in enumerate(rest[1]):
            one[key] = value_of(item, objects)
    elif kind == "typed":
        for key, item in rest[1]:
            setattr(one, key, value_of(item, objects))
    return one


def notation_of(value, places):
    """The notation of what Py3AMF decoded. `places` has each object's, by its id."""
    if value is pyamf.Undefined:
        return ["undefined"]
    if value is None or isinstance(value, (bool, str)):
        return value
    if isinstance(value, int):
        return ["integer", value]
    if isinstance(value, float):
        return ["double", "nan" if value != value else struct.pack(">d", value).hex()]
    if id(value) in places:
        return ["ref", places[id(value)]]
    places[id(value)] = len(places)
    if isinstance(value, list):
        return ["list", [notation_of(item, places) for item in value]]
    if isinstance(value, amf3.ByteArray):
        return ["bytes", value.getvalue().hex()]
    if isinstance(value, datetime.datetime):
        return ["date", round(util.get_timestamp(value) * 1000.0)]
    for name, one in CLASSES.items():
        if isinstance(value, one):
            return ["typed", name, [[key, notation_of(item, places)] for key, item in value.__dict__.items()]]
    if isinstance(value, pyamf.MixedArray):
        named = [[key, notation_of(item, places)] for key, item in value.items() if isinstance(key, str)]
        items = [notation_of(item, places) for key, item in value.items() if isinstance(key, int)]
        return ["ecma", named, items]
    if isinstance(value, dict):
        return ["object", [[key, notation_of(item, places)] for key, item in value.items()]]
    raise TypeError("no notation for %r" % (value,))


def attempt(function, argument):
    try:
        return function(argument)
    except Exception as error:
        return {"error": repr(error)}


def encode(notation):
    objects = []
    return bytes(pyamf.encode(value_of(notation, objects), encoding=pyamf.AMF3).getvalue()).hex()


def decode(text):
    (value,) = pyamf.decode(bytes.fromhex(text), encoding=pyamf.AMF3)
    return notation_of(value, {})


if __name__ == "__main__":
    sys.setrecursionlimit(10000)
    work = json.load(sys.stdin)
    json.dump({
        "encode": [attempt(encode, one) for one in work.get("encode", [])],
        "decode": [attempt(decode, one) for one in work.get("decode", [])],
    }, sys.stdout)
