"""Writes schemas/standard.binpb: the .proto files that come with protobuf's compiler and with Google's APIs.

    pip install grpcio-tools==1.85.1 googleapis-common-protos==1.76.0
    python scripts/build-standard-protos.py

It is a FileDescriptorSet as protoc 35.1 makes it. What no schema depends on is left out: services, and options but
for those that change what a message is.
"""

import pathlib
import tempfile

import grpc_tools
import google.api
from google.protobuf import descriptor_pb2
from grpc_tools import protoc

ROOT = pathlib.Path(__file__).parent.parent
COMPILER = pathlib.Path(grpc_tools.__file__).parent / "_proto"
APIS = pathlib.Path(google.api.__path__[0]).parent.parent
PROTOBUFJS = ROOT / "node_modules/protobufjs"
OTHER = "google/protobuf/json_enumvalue_options.proto"
KEPT = {"packed", "features", "map_entry", "allow_alias", "message_set_wire_format"}


def strip(message):
    """Clears options, except those that are kept, and what is unknown, which extensions are."""
    message.DiscardUnknownFields()
    for field, value in message.ListFields():
        if field.name in ("service", "source_code_info", "declaration"):
            message.ClearField(field.name)
        elif field.name == "options":
            for option, _ in value.ListFields():
                if option.is_extension:
                    value.ClearExtension(option)
                elif option.name not in KEPT:
                    value.ClearField(option.name)
            if not value.ListFields():
                message.ClearField("options")
        elif field.message_type is not None:
            for one in value if field.is_repeated else [value]:
                strip(one)


def main():
    names = sorted({str(path.relative_to(root)) for root in (COMPILER, APIS) for path in root.glob("google/**/*.proto")})
    with tempfile.TemporaryDirectory() as folder:
        target = f"{folder}/set"
        args = ["protoc", f"-I{COMPILER}", f"-I{APIS}", f"-I{PROTOBUFJS}", f"-o{target}", *names, OTHER]
        if protoc.main(args) != 0:
            raise SystemExit(1)
        files = descriptor_pb2.FileDescriptorSet.FromString(pathlib.Path(target).read_bytes())
    strip(files)
    (ROOT / "schemas/standard.binpb").write_bytes(files.SerializeToString(deterministic=True))


if __name__ == "__main__":
    main()
