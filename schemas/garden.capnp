# The garden of the dataset of that name: a nested dictionary of game data, its lists and maps.
@0xacc5d3b9a1306363;

struct Garden @0xb60c44274d3b97d9 {
  owner @0 :Text;
  level @1 :UInt32;
  open @2 :Bool;
  gate @3 :List(UInt32);
  plots @4 :List(GardenPlotsEntry);
  shop @5 :List(GardenShopEntry);
  bag @6 :List(GardenBagEntry);
  visits @7 :List(UInt32);
}

struct Plot @0xe08f6bf7e4a9b070 {
  plant @0 :Text;
  grown @1 :Float64;
  size @2 :List(UInt32);
  crop @3 :List(PlotCropEntry);
}

struct Goods @0xc4874ffb7364d281 {
  name @0 :Text;
  price @1 :UInt32;
  off @2 :Float64;
}

struct GardenPlotsEntry @0x9426c72b7e886a21 {
  key @0 :Text;
  value @1 :Plot;
}

struct GardenShopEntry @0xa436dbd483a8b164 {
  key @0 :Text;
  value @1 :Goods;
}

struct GardenBagEntry @0xefda6aceb5cea8b4 {
  key @0 :Text;
  value @1 :UInt32;
}

struct PlotCropEntry @0xb0bea679c0869077 {
  key @0 :Text;
  value @1 :UInt32;
}
