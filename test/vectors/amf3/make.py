"""Prints what Py3AMF makes of each value in values.json, in hex."""
import json
import os
import sys

here = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(here, "../../formats/amf3"))

import py3amf  # noqa: E402
import pyamf  # noqa: E402

with open(os.path.join(here, "values.json"), encoding="utf-8") as file:
    values = json.load(file)
print(json.dumps({
    "python": sys.version.split()[0],
    "py3amf": str(pyamf.version),
    "vectors": {one["name"]: py3amf.encode(one["notation"]) for one in values},
}, indent=2))
