# The published packet of 6 bytes, >ih in Python.
@0xbd812b9e8f405963;

struct Packet @0xdd0b82256ceb7bfc {
  kind @0 :Int32;
  level @1 :Int16;
}
