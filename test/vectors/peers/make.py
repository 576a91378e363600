# Writes vectors.json: values as other libraries of CBOR, BSON, MessagePack, Avro, Ion and Arrow encode them; for Arrow in a table of one row.
#
#   python3 -m venv peers && peers/bin/pip install cbor2==6.3.0 pymongo==4.20.0 msgpack==1.2.4 fastavro==1.13.1 amazon.ion==0.15.0 pyarrow==26.0.1
#   peers/bin/python make.py > vectors.json
#
# With --read it takes lines of JSON, {"format", "hex", "schema"}, and prints of each the bytes that it makes of what it reads.
import io
import json
import sys

import bson
import cbor2
import fastavro
import msgpack
import pyarrow
from amazon.ion import simpleion
from bson.int64 import Int64

SCHEMA = {
    "type": "record",
    "name": "M",
    "fields": [
        {"name": "integers", "type": {"type": "array", "items": "long"}},
        {"name": "doubles", "type": {"type": "array", "items": "double"}},
        {"name": "texts", "type": {"type": "array", "items": "string"}},
        {"name": "flag", "type": "boolean"},
        {"name": "blob", "type": "bytes"},
        {"name": "map", "type": {"type": "map", "values": "string"}},
        {"name": "absent", "type": ["null", "string"], "default": None},
        {"name": "inner", "type": ["null", {"type": "record", "name": "N", "fields": [{"name": "id", "type": "int"}]}]},
    ],
}

COLUMNS = pyarrow.schema(
    [
        pyarrow.field("integers", pyarrow.list_(pyarrow.int64()), nullable=False),
        pyarrow.field("doubles", pyarrow.list_(pyarrow.float64()), nullable=False),
        pyarrow.field("texts", pyarrow.list_(pyarrow.string()), nullable=False),
        pyarrow.field("flag", pyarrow.bool_(), nullable=False),
        pyarrow.field("blob", pyarrow.binary(), nullable=False),
        pyarrow.field("map", pyarrow.map_(pyarrow.string(), pyarrow.string()), nullable=False),
        pyarrow.field("absent", pyarrow.string()),
        pyarrow.field("inner", pyarrow.struct([pyarrow.field("id", pyarrow.int32(), nullable=False)])),
    ]
)

EDGES = sorted({sign * (2**bits + by) for bits in (4, 5, 7, 8, 15, 16, 31, 32, 40, 52) for by in (-1, 0, 1) for sign in (1, -1)})

VALUES = {
    "nothing": dict(integers=[], doubles=[], texts=[], flag=False, blob=b"", map={}),
    "edges of integers": dict(integers=[0, *EDGES, 2**53 - 1, 1 - 2**53], doubles=[], texts=[], flag=True, blob=b"", map={}),
    "doubles": dict(integers=[], doubles=[0.1, -0.5, 1e300, 1e-300, 3.4028234e38, 5e-324, 65504.5], texts=[], flag=True, blob=b"", map={}),
    "texts": dict(
        integers=[], doubles=[], texts=["", "a", "x" * 23, "x" * 24, "x" * 255, "x" * 256, "é" * 40, "日本", "\U0001f600" * 20, "a\0b"],
        flag=True, blob=bytes(range(256)), map={"": "empty", "a b": "c", "constructor": "d", "1": "e"},
    ),
    "long": dict(integers=list(range(-150, 150)), doubles=[i / 3 for i in range(300)], texts=["t"] * 300, flag=True, blob=b"\0" * 300, map={f"key {i}": str(i) for i in range(300)}),
    "what may be absent": dict(integers=[1], doubles=[2.5], texts=[], flag=True, blob=b"\xff", map={}, absent="here", inner={"id": -7}),
}


def avro(value, schema=SCHEMA):
    out = io.BytesIO()
    fastavro.schemaless_writer(out, fastavro.parse_schema(schema), value)
    return out.getvalue()


def arrow(rows, schema=COLUMNS):
    table = pyarrow.Table.from_pylist(rows, schema=schema)
    table.validate(full=True)
    out = pyarrow.BufferOutputStream()
    with pyarrow.ipc.new_stream(out, schema) as writer:
        writer.write_table(table)
    return out.getvalue().to_pybytes()


def arrow_value(value):
    # A map is a list of pairs there.
    return arrow([{**value, "map": list(value["map"].items())}])


ENCODE = {
    "cbor": cbor2.dumps,
    "bson": lambda value: bson.encode(value),
    "msgpack": lambda value: msgpack.packb(value),
    "avro": avro,
    "ion": lambda value: simpleion.dumps(value, binary=True),
    "arrow": arrow_value,
}


def long(value):
    """BSON tells integers of 32 bits from those of 64, Python does not."""
    if isinstance(value, dict):
        return {key: long(item) for key, item in value.items()}
    if isinstance(value, list):
        return [long(item) for item in value]
    return Int64(value) if isinstance(value, int) and not isinstance(value, bool) else value


def plain(value):
    if isinstance(value, bytes):
        return {"bytes": value.hex()}
    if isinstance(value, dict):
        return {"record": {key: plain(item) for key, item in value.items()}}
    return [plain(item) for item in value] if isinstance(value, list) else value


def again(line):
    job = json.loads(line)
    data = bytes.fromhex(job["hex"])
    if job["format"] == "cbor":
        return cbor2.dumps(cbor2.loads(data))
    if job["format"] == "msgpack":
        return msgpack.packb(msgpack.unpackb(data, strict_map_key=False))
    if job["format"] == "bson":
        return bson.encode(bson.decode(data))
    if job["format"] == "arrow":
        table = pyarrow.ipc.open_stream(data).read_all()
        table.validate(full=True)
        return arrow(table.to_pylist(), table.schema)
    if job["format"] == "ion":
        return simpleion.dumps(simpleion.loads(data), binary=True)
    schema = fastavro.parse_schema(job["schema"])
    return avro(fastavro.schemaless_reader(io.BytesIO(data), schema), job["schema"])


if "--read" in sys.argv:
    for line in sys.stdin:
        print(again(line).hex(), flush=True)
else:
    vectors = [
        {"name": name, "value": plain(value), "hex": {kind: encode(value).hex() for kind, encode in ENCODE.items()}}
        for name, value in VALUES.items()
    ]
    vectors[1]["hex"]["bson"] = ENCODE["bson"](long(VALUES["edges of integers"])).hex()
    print(json.dumps(vectors, indent=1, ensure_ascii=True))
