"""What is built into Python: pickle, json and struct, as a program calls them.

pickle is the one in C, `_pickle` of Python 3 and `cPickle` of Python 2, and its absence is an error rather than pickle in Python.
"""
import json
import platform
import struct
import sys

import protocol
from protocol import System

if sys.version_info[0] == 2:
    import cPickle as pickle
else:
    import _pickle as pickle

# The published packets: what of a value is packed. `>ih`, and `>ii1108s` with a text of 1108 bytes.
PACKETS = {
    "packet-small": lambda value: (value["kind"], value["level"]),
    "packet": lambda value: (value["kind"], value["sender"], value["text"].encode("ascii")),
}


def struct_of(job):
    """The published calls, of a tuple: struct.pack with the text of the format each time, which struct keeps compiled."""
    plain = PACKETS[job["dataset"].split(":")[0]]
    last = plain(job["values"][0])[-1]
    form = ">ii%ds" % len(last) if isinstance(last, bytes) else ">ih"
    scope = {"pack": struct.pack, "unpack": struct.unpack, "form": form}
    return System("pack(form, *value)", "unpack(form, data)", scope, plain)


def system(job):
    name, _, variant = job["system"].partition(":")
    if name == "pickle":
        return System("dumps(value, %s)" % variant, "loads(data)", {"dumps": pickle.dumps, "loads": pickle.loads})
    if name == "struct":
        return struct_of(job)
    if job["system"] == "json:compact":
        encode = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode
        return System("encode(value).encode('utf-8')", "loads(data)", {"encode": encode, "loads": json.loads})
    if job["system"] == "json":
        return System("dumps(value).encode()", "loads(data)", {"dumps": json.dumps, "loads": json.loads})
    raise LookupError("no system %s" % job["system"])


if __name__ == "__main__":
    protocol.main(system, {"python": platform.python_version()})
