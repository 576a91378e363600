"""Makes vectors.json: what Google's Python runtime makes of the texts in cases.txt, and of random messages. See README.md."""

import json
import random
import subprocess
import tempfile

from google.protobuf import descriptor_pb2, descriptor_pool, json_format, message_factory

with tempfile.NamedTemporaryFile() as found:
    subprocess.run(["protoc", "-I.", "--include_imports", "-o", found.name, "json.proto"], check=True)
    files = descriptor_pb2.FileDescriptorSet.FromString(open(found.name, "rb").read())
pool = descriptor_pool.DescriptorPool()
for file in files.file:
    pool.Add(file)


def message_class(name):
    return message_factory.GetMessageClass(pool.FindMessageTypeByName(name))


M = message_class("json.M")


def printed(message):
    try:
        return json.loads(json_format.MessageToJson(message, descriptor_pool=pool))
    except Exception:
        return None


def case(text):
    try:
        message = json_format.Parse(text, M(), descriptor_pool=pool)
    except Exception:
        return {"text": text}
    return {"text": text, "hex": message.SerializeToString(deterministic=True).hex(), "json": printed(message)}


chosen = random.Random(1)
TEXTS = ["", "a", "é", "\u2028", "\U0001f600", '"\\\n', "NaN", "1e5", "@type", "__proto__", "null"]
DOUBLES = [0.0, 1.5, 1e300, 5e-324, 2.0**53, 2.0**60, -(2.0**63), 1e21, 0.1]


def any_json(depth=0):
    kind = chosen.randrange(7 if depth < 4 else 5)
    if kind == 0:
        return None
    if kind == 1:
        return chosen.random() < 0.5
    if kind == 2:
        return chosen.choice(DOUBLES)
    if kind < 5:
        return chosen.choice(TEXTS)
    if kind == 5:
        return [any_json(depth + 1) for _ in range(chosen.randrange(4))]
    # One key, since an Any holds a map in the order of its writer.
    return {chosen.choice(TEXTS): any_json(depth + 1)} if chosen.random() < 0.8 else {}


def scalar(field):
    kind = field.cpp_type
    if kind == field.CPPTYPE_ENUM:
        return chosen.choice([value.number for value in field.enum_type.values])
    if kind == field.CPPTYPE_BOOL:
        return chosen.random() < 0.5
    if kind in (field.CPPTYPE_DOUBLE, field.CPPTYPE_FLOAT):
        most = [3.4028234663852886e38, 0.1] if kind == field.CPPTYPE_FLOAT else DOUBLES
        return chosen.choice([0.0, -0.0, float("inf"), float("-inf"), float("nan"), *most])
    if field.type == field.TYPE_BYTES:
        return bytes(chosen.randrange(256) for _ in range(chosen.randrange(6)))
    if kind == field.CPPTYPE_STRING:
        return chosen.choice(TEXTS)
    bits = 64 if kind in (field.CPPTYPE_INT64, field.CPPTYPE_UINT64) else 32
    low, high = (0, 2**bits - 1) if kind in (field.CPPTYPE_UINT32, field.CPPTYPE_UINT64) else (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1)
    return chosen.choice([0, 1, low, high, min(high, 2**53 + 1), chosen.randrange(low, high)])


ANY_TYPES = ["json.N", "json.M"] + ["google.protobuf." + name for name in ["Duration", "Struct", "Value", "Int64Value", "Empty", "Any"]]


def fill(message, depth=0):
    name = message.DESCRIPTOR.full_name.removeprefix("google.protobuf.")
    if name == "Timestamp":
        message.seconds = chosen.choice([0, -62135596800, 253402300799, chosen.randrange(-62135596800, 253402300799)])
        message.nanos = chosen.choice([0, 1, 500000000, 999999999, 1000, 120000])
    elif name == "Duration":
        sign = chosen.choice([1, -1])
        message.seconds = sign * chosen.choice([0, 1, 315576000000, chosen.randrange(315576000000)])
        message.nanos = sign * chosen.choice([0, 1, 500000000, 999999999, 1000])
    elif name == "FieldMask":
        message.paths.extend(chosen.choice(["a", "foo_bar", "foo_bar.baz", "a.b_c_d"]) for _ in range(chosen.randrange(4)))
    elif name == "Struct":
        json_format.ParseDict({chosen.choice(TEXTS): any_json()}, message)
    elif name == "Value":
        json_format.ParseDict(any_json(), message)
    elif name == "ListValue":
        json_format.ParseDict([any_json() for _ in range(chosen.randrange(4))], message)
    elif name == "Any":
        inner = chosen.choice(ANY_TYPES)
        held = message_class(inner)()
        if depth < 3:
            fill(held, depth + 1)
        message.type_url = "type.googleapis.com/" + inner
        message.value = held.SerializeToString(deterministic=True)
    else:
        fill_fields(message, depth, 0.8 if "." not in name else 0.15 if depth == 0 else 0.04)


def fill_fields(message, depth, share):
    fields = [field for field in message.DESCRIPTOR.fields if chosen.random() < share]
    oneofs = set()
    for field in fields:
        oneof = field.containing_oneof
        # Python reads no null in a list that it writes there.
        if (oneof is not None and oneof in oneofs) or field.name == "rnul":
            continue
        oneofs.add(oneof)
        held = getattr(message, field.name)
        if field.message_type and field.message_type.GetOptions().map_entry:
            key, value = (field.message_type.fields_by_name[name] for name in ["key", "value"])
            if value.message_type:
                fill(held[scalar(key)], depth + 1)
            else:
                held[scalar(key)] = scalar(value)
        elif field.is_repeated and field.message_type:
            for _ in range(chosen.randrange(3)):
                fill(held.add(), depth + 1)
        elif field.is_repeated:
            held.extend(scalar(field) for _ in range(chosen.randrange(4)))
        elif not field.message_type:
            setattr(message, field.name, scalar(field))
        elif depth < 3:
            held.SetInParent()
            fill(held, depth + 1)


def random_case():
    message = M()
    fill(message)
    text = json_format.MessageToJson(message, descriptor_pool=pool, indent=None, ensure_ascii=False)
    return case(text)


with open("cases.txt", encoding="utf8") as texts:
    vectors = [case(text.removesuffix("\n")) for text in texts]
# What Python does not read back is left out.
vectors += [one for one in (random_case() for _ in range(130)) if "hex" in one]
with open("vectors.json", "w", encoding="utf8") as out:
    out.write("[\n" + ",\n".join(json.dumps(vector) for vector in vectors) + "\n]\n")
