#!/bin/sh -e
# Makes messages.binpb and vectors.jsonl. See README.md.
cd "$(dirname "$0")"
include=$(mktemp -d)
npx conformance_proto_eject "$include"
cd "$include"
# A message set is refused by name; the suite's other messages do without.
sed -i 's/^.*MessageSetCorrect message_set_correct = 500;.*$//' google/protobuf/*.proto
protoc -I . --include_imports -o messages.binpb google/protobuf/test_messages_proto2.proto google/protobuf/test_messages_proto3.proto
cd - >/dev/null
cp "$include/messages.binpb" .
printf '#!/bin/sh\nexec node "%s/testee.js" "%s"\n' "$PWD" "$include" >"$include/testee"
chmod +x "$include/testee"
rm -f vectors.jsonl
npx conformance_test_runner --enforce_recommended --maximum_edition PROTO3 --text_format_failure_list expected.txt "$include/testee"
