#!/bin/sh
# Makes the vectors of this folder with the reference implementation: capnp 0.9.2 (Debian 12, capnproto).
set -eu
cd "$(dirname "$0")"
convert() { capnp convert "$@" ../../../schemas/tellist.capnp PersonalInfoList; }

convert text:binary <tellist.txt >tellist.bin
convert text:packed <tellist.txt >tellist.packed
# Several segments: far pointers and landing pads.
convert text:binary --segment-size=8 <tellist.txt >tellist-segments.bin
convert binary:packed --segment-size=8 <tellist-segments.bin >tellist-segments.packed
