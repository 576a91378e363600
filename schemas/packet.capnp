# The published packet of 1116 bytes, >ii1108s in Python.
@0x9da1da68c2b8c5eb;

struct Packet @0xeafa1e304ee085f1 {
  kind @0 :Int32;
  sender @1 :Int32;
  text @2 :Text;
}
