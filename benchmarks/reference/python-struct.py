"""Times CPython's struct on the published packets, >ih and >ii1108s.

    python3 python-struct.py ROUNDS SECONDS

Prints a line of JSON: what ran, the bytes of each packet as hex, and the nanoseconds per call of each round. A round
is as many calls as take about SECONDS.
"""
import itertools
import json
import struct
import sys
import time

rounds, seconds = int(sys.argv[1]), float(sys.argv[2])
text = b"x" * 1108
small, large = struct.Struct(">ih"), struct.Struct(">ii1108s")
small_bytes, large_bytes = small.pack(55, 66), large.pack(888, 333, text)
kept = [None] * 10000


def pack_small(calls, pack=struct.pack):
    for _ in itertools.repeat(None, calls):
        pack(">ih", 55, 66)


def pack_small_compiled(calls, pack=small.pack):
    for _ in itertools.repeat(None, calls):
        pack(55, 66)


def pack_into_small_compiled(calls, pack_into=small.pack_into, target=bytearray(6)):
    for _ in itertools.repeat(None, calls):
        pack_into(target, 0, 55, 66)


def unpack_small(calls, unpack=struct.unpack):
    for _ in itertools.repeat(None, calls):
        unpack(">ih", small_bytes)


def unpack_small_compiled(calls, unpack=small.unpack):
    for _ in itertools.repeat(None, calls):
        unpack(small_bytes)


def pack_large(calls, pack=struct.pack):
    for _ in itertools.repeat(None, calls):
        pack(">ii1108s", 888, 333, text)


def unpack_large(calls, unpack=struct.unpack):
    for _ in itertools.repeat(None, calls):
        unpack(">ii1108s", large_bytes)


def pack_large_kept(calls, pack=struct.pack, kept=kept, count=len(kept)):
    for i in range(calls):
        kept[i % count] = pack(">ii1108s", 888, 333, text)


def unpack_large_kept(calls, unpack=struct.unpack, kept=kept, count=len(kept)):
    for i in range(calls):
        kept[i % count] = unpack(">ii1108s", large_bytes)


def nanos(function, calls):
    start = time.perf_counter()
    function(calls)
    return (time.perf_counter() - start) / calls * 1e9


def timed(function):
    calls = max(1, int(seconds * 1e9 / nanos(function, 20000)))
    return [nanos(function, calls) for _ in range(rounds)]


tasks = [pack_small, pack_small_compiled, pack_into_small_compiled, unpack_small, unpack_small_compiled, pack_large,
         unpack_large, pack_large_kept, unpack_large_kept]
print(json.dumps({
    "program": "CPython %s" % sys.version.split()[0],
    "small": small_bytes.hex(),
    "large": large_bytes.hex(),
    "nanos": {task.__name__: timed(task) for task in tasks},
}))
