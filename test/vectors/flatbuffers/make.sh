#!/bin/sh
# Makes the vectors of this folder with the reference implementation: flatc 2.0.8 (Debian 12, flatbuffers-compiler).
set -eu
cd "$(dirname "$0")"
flatc --binary --strict-json ../../../schemas/tellist.fbs tellist.json
flatc --binary --strict-json kinds.fbs kinds.json
