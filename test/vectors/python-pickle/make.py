"""Prints the golden vectors: one JSON object per line, of the CPython that runs it.

    for v in 2.7 3.11 3.13; do python$v -B make.py; done > vectors.jsonl

`value` is the value as text in the form of `canonical` (test/formats/python-pickle/reference.py), or its SHA-256.
"""
import base64
import binascii
import hashlib
import json
import os
import pickle
import platform
import sys
import zlib

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../formats/python-pickle"))
sys.argv[1:] = ["values"]
from reference import MODERN, canonical  # noqa: E402

shared = [1, 2]
cyclic = [1]
cyclic.append(cyclic)
inner = []
tuple_cycle = (inner,)
inner.append(tuple_cycle)
self_dict = {}
self_dict[u"self"] = self_dict

VALUES = [
    ("constants", [None, True, False]),
    ("integers", [0, 1, -1, 255, 256, 65535, 65536, 2**31 - 1, 2**31, -(2**31), -(2**31) - 1]),
    ("long integers", [2**53 - 1, 2**53, 2**53 + 1, 2**63 - 1, 2**63, -(2**63), 2**64 - 1, -(2**64), 2**2040, -128 * 2**56]),
    ("floats", [0.0, -0.0, 1.0, 0.5, 0.1, 1e300, 5e-324, float("inf"), float("-inf"), float("nan")]),
    ("text", [u"", u"a", u"\u5c0f\u660e", u"\U0001f600", u"\x00\n\r\x1a\\'\"", u"\\u0041", u"x" * 256]),
    ("lists", [[], [1], [1, 2], [[[]]]]),
    ("tuples", [(), (1,), (1, 2), (1, 2, 3), (1, 2, 3, 4)]),
    ("dicts", [{}, {u"a": 1}, {u"__proto__": 1, u"constructor": 2}, {1: 2, (1, u"x"): 3}]),
    ("sets", [set(), {1}, {u"a"}, frozenset(), frozenset([2])]),
    ("bytearrays", [bytearray(), bytearray(b"ab"), bytearray(b"\x80\xff")]),
    ("bytes", [b"", b"ab", b"\x80\xff", b"b" * 256] if MODERN else ["", "ab", "it's \\ \n"]),
    ("shared", [shared, shared, {u"again": shared}]),
    ("cyclic list", cyclic),
    ("cyclic tuple", tuple_cycle),
    ("cyclic dict", self_dict),
    ("a batch", list(range(1000))),
    ("more than a batch", {u"k%d" % i: i for i in range(1001)}),
    ("beyond the short memo", [u"t%d" % i for i in range(300)] * 2),
]
if MODERN:
    VALUES.append(("frames", [u"%d" % i + u"y" * 999 for i in range(70)] + [u"z" * 70000, b"w" * 70000]))


def packed(data):
    """Bytes as hex, or deflated in base64 where they are many."""
    if len(data) < 300:
        return binascii.hexlify(data).decode("ascii")
    return "deflated:" + base64.b64encode(zlib.compress(data, 9)).decode("ascii")


for name, value in VALUES:
    text = canonical(value)
    for protocol in range(min(pickle.HIGHEST_PROTOCOL, 5) + 1):
        print(json.dumps({
            "python": platform.python_version(),
            "name": name,
            "protocol": protocol,
            "pickle": packed(pickle.dumps(value, protocol)),
            "value": text if len(text) < 300 else "sha256:" + hashlib.sha256(text.encode("ascii")).hexdigest(),
        }, sort_keys=True))
