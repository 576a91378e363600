"""AMF3 by Py3AMF on Python 3, and by PyAMF on Python 2.7, whose encoder and decoder are in C where its extension was built."""
import protocol
from protocol import System

try:
    import pyamf
except ImportError:
    pyamf = None
try:
    import cpyamf.amf3  # noqa: F401
    BUILT = "with its C extension"
except ImportError:
    BUILT = "without a C extension"


def system(_):
    scope = {"encode": pyamf.encode, "decode": pyamf.decode, "AMF3": pyamf.AMF3}
    return System("encode(value, encoding=AMF3).getvalue()", "next(decode(data, encoding=AMF3))", scope)


if __name__ == "__main__":
    protocol.main(system, {} if pyamf is None else {"pyamf": "%s %s" % (pyamf.version, BUILT)})
