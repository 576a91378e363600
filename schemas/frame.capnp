# A camera's picture: a small header and one field of bytes.
@0xc0b254b4fc7ab4e8;

struct Frame @0xab0817235d65fdc6 {
  header @0 :Header;
  width @1 :UInt32;
  height @2 :UInt32;
  encoding @3 :Text;
  data @4 :Data;
}

struct Header @0xad274bb0a87b0615 {
  sequence @0 :UInt32;
  stamp @1 :UInt64;
  source @2 :Text;
}
