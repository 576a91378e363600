"""Times PyAMF (Python 2.7) or Py3AMF on the values that stand in a file as JSON.

    python amf3.py VALUES.json ROUNDS SECONDS

Prints a line of JSON: what ran, the first value's bytes, and the microseconds per call of each round. A round is as
many calls as take about SECONDS, the values in turn.
"""
import binascii
import json
import sys
import time

import pyamf

try:
    import cpyamf.amf3  # noqa: F401
    built = "with its C extension"
except ImportError:
    built = "without a C extension"

clock = getattr(time, "perf_counter", time.time)
path, rounds, seconds = sys.argv[1], int(sys.argv[2]), float(sys.argv[3])
with open(path) as file:
    values = json.load(file)


def encode(value):
    return pyamf.encode(value, encoding=pyamf.AMF3).getvalue()


def decode(data):
    return list(pyamf.decode(data, encoding=pyamf.AMF3))


def timed(function, arguments):
    def micros(calls):
        start = clock()
        for i in range(calls):
            function(arguments[i % len(arguments)])
        return (clock() - start) / calls * 1e6

    calls = max(1, int(seconds * 1e6 / micros(200)))
    return [micros(calls) for _ in range(rounds)]


messages = [bytes(encode(value)) for value in values]
print(json.dumps({
    "program": "PyAMF %s on Python %s, %s" % (pyamf.version, sys.version.split()[0], built),
    "hex": binascii.hexlify(messages[0]).decode("ascii"),
    "encode": timed(encode, values),
    "decode": timed(decode, messages),
}))
