# A laser scanner's points, each a message of four floats.
@0x93f14b0df4fd0486;

struct Cloud @0xadce7d364746e77a {
  sequence @0 :UInt32;
  stamp @1 :UInt64;
  source @2 :Text;
  points @3 :List(Point);
}

struct Point @0x91100fb566da3182 {
  x @0 :Float32;
  y @1 :Float32;
  z @2 :Float32;
  intensity @3 :Float32;
}
