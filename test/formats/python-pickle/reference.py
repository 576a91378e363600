"""What CPython's pickle does, for tests: one process for all cases. Runs on Python 2.7 and 3.

    reference.py values SEED COUNT   random values: a line of protocol, pickle in hex, canonical text each
    reference.py load                pickles in hex, a line each: canonical text and, from Python 3, the pickle that
                                     the same protocol makes of the value, or "refused" and the reason

Only the callables that stand for built-in types are ever imported.
"""
import binascii
import io
import pickle
import random
import struct
import sys

MODERN = sys.version_info[0] >= 3
if MODERN:
    unicode, long, unichr = str, int, chr
    import pickle as fast
else:
    import cPickle as fast

# What a Python 2 makes is text to others; what it is given as bytes is its str.
BYTES = "b" if MODERN or sys.argv[1] == "load" else "s"

ALLOWED = {("_codecs", "encode")} | {
    (module, name)
    for module in ("builtins", "__builtin__")
    for name in ("bytes", "bytearray", "set", "frozenset")
}


def hexed(data):
    return binascii.hexlify(bytes(data)).decode("ascii")


def canonical(value, met=None):
    """See canonical.ts."""
    met = {} if met is None else met
    if value is None:
        return "N"
    if isinstance(value, bool):
        return "T" if value else "F"
    if isinstance(value, (int, long)):
        return "i%d" % value
    if isinstance(value, float):
        return "fnan" if value != value else "f" + hexed(struct.pack(">d", value))
    if isinstance(value, unicode):
        return "s" + hexed(value.encode("utf-8"))
    if isinstance(value, bytes):
        return BYTES + hexed(value)
    if isinstance(value, tuple):
        return "(" + ",".join([canonical(item, met) for item in value]) + ")"
    if isinstance(value, frozenset):
        return "^<" + ",".join(sorted(canonical(item) for item in value)) + ">"
    if id(value) in met:
        return "@%d" % met[id(value)]
    met[id(value)] = len(met)
    if isinstance(value, bytearray):
        return "y" + hexed(value)
    if isinstance(value, list):
        return "[" + ",".join([canonical(item, met) for item in value]) + "]"
    if isinstance(value, set):
        return "<" + ",".join(sorted(canonical(item) for item in value)) + ">"
    if isinstance(value, dict):
        entries = sorted(((canonical(key), item) for key, item in value.items()), key=lambda entry: entry[0])
        return "{" + ",".join([key + ":" + canonical(item, met) for key, item in entries]) + "}"
    raise TypeError("not data: %r" % type(value))


class Restricted(pickle._Unpickler if MODERN else pickle.Unpickler):
    """The reader that is written in Python: its memo is a dict, so that no index is too large for it.

    Equal texts are one object, as if all were interned, however often they stand in the pickle.
    """

    dispatch = dict((pickle._Unpickler if MODERN else pickle.Unpickler).dispatch)

    def find_class(self, module, name):
        if (module, name) not in ALLOWED:
            raise pickle.UnpicklingError("%s.%s" % (module, name))
        if MODERN:
            return pickle._Unpickler.find_class(self, module, name)
        return pickle.Unpickler.find_class(self, module, name)


def interned(load):
    def loaded(unpickler):
        load(unpickler)
        text = unpickler.stack[-1]
        unpickler.stack[-1] = unpickler.__dict__.setdefault("texts", {}).setdefault(text, text)

    return loaded


for name in ("UNICODE", "BINUNICODE", "BINUNICODE8", "SHORT_BINUNICODE"):
    code = getattr(pickle, name, None)
    if code is not None:
        key = code[0] if MODERN else code
        Restricted.dispatch[key] = interned(Restricted.dispatch[key])


EDGES = [0, 1, 255, 256, 65535, 65536, 2**31 - 1, 2**31, 2**53 - 1, 2**53, 2**53 + 1, 2**63 - 1, 2**63, 2**64, 2**300]
FLOATS = [0.0, -0.0, 1.0, 0.5, 1e300, 5e-324, float("inf"), float("-inf"), float("nan"), 2.0**53, 0.1]
TEXTS = [u"", u"a", u"name", u"10,5", u"7", u"__proto__", u"constructor", u"\x00\n\\'\"", u"\u5c0f\u660e", u"\xe9", u"x" * 300]


class Maker:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.made = []

    def value(self, depth):
        kind = self.random.randrange(10 if depth > 0 else 5)
        if kind < 5:
            return self.leaf()
        if kind == 9 and self.made and self.random.random() < 0.5:
            return self.random.choice(self.made)
        size = self.random.choice((0, 1, 1, 2, 3, 5))
        if kind == 5:
            return tuple([self.value(depth - 1) for _ in range(size)])
        if kind == 6:
            elements = [self.hashable(depth - 1) for _ in range(size)]
            return self.kept(set(elements)) if self.random.random() < 0.5 else frozenset(elements)
        if kind == 7:
            made = self.kept([])
            made.extend(self.value(depth - 1) for _ in range(size))
            return made
        made = self.kept({})
        for _ in range(size):
            key = self.text() if kind == 8 else self.hashable(depth - 1)
            made[key] = self.value(depth - 1)
        return made

    def kept(self, made):
        self.made.append(made)
        return made

    def leaf(self):
        kind = self.random.randrange(8)
        if kind == 0:
            return self.random.choice((None, True, False))
        if kind < 4:
            return self.random.choice((1, -1)) * self.random.choice(EDGES) + self.random.choice((0, 0, 1, -1))
        if kind == 4:
            return self.random.choice(FLOATS)
        if kind == 5:
            data = bytearray(self.random.randrange(256 if MODERN else 128) for _ in range(self.random.choice((0, 1, 9, 300))))
            return bytes(data) if self.random.random() < 0.5 else self.kept(data)
        return self.text()

    def text(self):
        if self.random.random() < 0.5:
            return self.random.choice(TEXTS)
        return u"".join(unichr(self.random.choice((0x61, 0x7A, 0x20, 0xE9, 0x5C0F, 0x7F))) for _ in range(self.random.randrange(20)))

    def hashable(self, depth):
        if depth > 0 and self.random.random() < 0.3:
            parts = [self.hashable(depth - 1) for _ in range(self.random.randrange(4))]
            return tuple(parts) if self.random.random() < 0.7 else frozenset(parts)
        leaf = self.leaf()
        # Two keys that are not equal to themselves are one to JavaScript.
        return 0 if isinstance(leaf, bytearray) or leaf != leaf else leaf


def values(seed, count):
    for i in range(count):
        maker = Maker(seed * 1000003 + i)
        value = maker.value(4)
        protocol = i % (6 if sys.version_info >= (3, 8) else 5 if MODERN else 3)
        module = fast if i % 3 else pickle
        print("%d %s %s" % (protocol, hexed(module.dumps(value, protocol)), canonical(value)))


def load():
    for line in sys.stdin:
        protocol, text = line.split()
        data = binascii.unhexlify(text)
        try:
            value = Restricted(io.BytesIO(data)).load()
            if MODERN:
                print("%s %s" % (canonical(value), hexed(fast.dumps(value, int(protocol)))))
            else:
                print("%s -" % canonical(value))
        except RecursionError if MODERN else RuntimeError:
            print("refused too deep")
        except Exception as error:
            print("refused %s" % type(error).__name__)


if __name__ == "__main__":
    if sys.argv[1] == "values":
        values(int(sys.argv[2]), int(sys.argv[3]))
    else:
        load()
