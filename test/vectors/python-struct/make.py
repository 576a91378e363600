"""What CPython's struct makes of values. Made with

    python3.11 make.py > vectors.json

by CPython 3.11.7 on x86-64 Linux. Each vector is a format, its size, values and their bytes, which are null where the
values are refused. Values are {"int": decimal}, {"float": eight bytes as hex}, {"bytes": hex}, true and false.
"""
import json
import struct

BITS = {"b": 8, "h": 16, "i": 32, "l": 64, "q": 64, "n": 64, "P": 64}
FLOATS = [0.0, -0.0, 1.0, -2.5, 0.1, 5e-324, 2**-24, 2**-25, 1.5 * 2**-24, 65504.0, 65519.0, 65520.0, 3.4028234e38,
          3.4028235677973366e38, 1e308, float("inf"), float("-inf")]
NANS = ["7ff8000000000000", "fff8000000000000", "7fffffffffffffff", "fff8123456789abc"]
FLOATS += [struct.unpack(">d", bytes.fromhex(bits))[0] for bits in NANS]
FORMATS = ["", "x", "3x", "0i", "b0i", "bq", "@bhilq?d", "=bhilq?d", "<bhilq?d", ">bhilq?d", "!bhilq?d", "@llh0l",
           "@c3xP", "< i ", "<i h\t2b", "@b0q0i", ">ih", ">ii1108s", "5s0s3p", "<16e", "@bfbebdb", "4i2h"]
BAD = ["3", "i3", "3 i", "<P", ">n", "=N", "z", " <i", "<<i", "i<", "\u00e9", "i\0", "99999999999999999999i",
       "9223372036854775807x1x", "-1i", "1.5i"]


def tagged(value):
    if isinstance(value, bool):
        return value
    if isinstance(value, int):
        return {"int": str(value)}
    if isinstance(value, bytes):
        return {"bytes": value.hex()}
    return {"float": struct.pack(">d", value).hex()}


def vector(form, values):
    try:
        data = struct.pack(form, *values)
        back = [tagged(value) for value in struct.unpack(form, data)]
    except (struct.error, OverflowError):
        data = back = None
    return {"format": form, "size": struct.calcsize(form), "values": [tagged(value) for value in values],
            "bytes": None if data is None else data.hex(), "unpacked": back}


def edges(character, native):
    bits = 32 if character in "lL" and not native else BITS.get(character) or BITS[character.lower()]
    least, most = (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1) if character in "bhilqn" else (0, 2**bits - 1)
    if character == "P":
        least = -(2**63)
    return [least - 1, least, -1, 0, 1, most - 1, most, most + 1]


def sample(character):
    if character in "efd":
        return 0.5
    if character in "sp":
        return b"ab"
    return b"c" if character == "c" else True if character == "?" else 7


def characters(form):
    number = ""
    for character in form:
        if character.isdigit():
            number += character
        else:
            if character in "sp":
                yield character
            elif character not in "x@=<>! \t":
                yield from character * (int(number) if number else 1)
            number = ""


vectors = []
for prefix in ["", "@", "=", "<", ">", "!"]:
    native = prefix in ("", "@")
    for character in "bBhHiIlLqQ" + ("nNP" if native else ""):
        vectors += [vector(prefix + character, [value]) for value in edges(character, native)]
    for character in "efd":
        vectors += [vector(prefix + character, [value]) for value in FLOATS]
    for value in [False, True]:
        vectors.append(vector(prefix + "?", [value]))
    for value in [b"", b"a", b"ab"]:
        vectors.append(vector(prefix + "c", [value]))
for form in ["0s", "1s", "3s", "1p", "2p", "4p", "256p", "300p"]:
    for length in [0, 1, 2, 3, 4, 255, 256, 290, 300]:
        vectors.append(vector(form, [bytes(97 + i % 26 for i in range(length))]))
for form in FORMATS:
    vectors.append(vector(form, [sample(character) for character in characters(form)]))
vectors.append(vector(">ih", [55, 66]))
vectors.append(vector(">ih", [55]))
vectors.append(vector(">ih", [55, 66, 77]))
refused = []
for form in BAD:
    try:
        struct.calcsize(form)
    except (struct.error, UnicodeEncodeError):
        refused.append(form)
assert refused == BAD
lines = [json.dumps(one) for one in vectors]
print('{"refused": %s,\n"vectors": [\n%s\n]}' % (json.dumps(BAD), ",\n".join(lines)))
