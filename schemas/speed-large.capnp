# A guide of the shape of protobuf's large benchmark message: 84,584 bytes.
@0x80518193b0bc2194;

struct Guide @0xfed043f7ffec1dc6 {
  name @0 :Text;
  cover @1 :Data;
  createdAt @2 :Int64;
  hasCreatedAt @3 :Bool;
  edition @4 :Int64;
  hasEdition @5 :Bool;
  printedAt @6 :Int64;
  hasPrintedAt @7 :Bool;
  editor @8 :Text;
  reviews @9 :List(Review);
  seed @10 :Int32;
  hasSeed @11 :Bool;
  quality @12 :Float32;
  hasQuality @13 :Bool;
  pages @14 :Int32;
  hasPages @15 :Bool;
  region @16 :Int32;
  hasRegion @17 :Bool;
  draft @18 :Bool;
  hasDraft @19 :Bool;
  copies @20 :Int32;
  hasCopies @21 :Bool;
  topics @22 :List(Text);
  sources @23 :List(Text);
  volume @24 :Int32;
  hasVolume @25 :Bool;
  chapters @26 :List(Int64);
  checkedAt @27 :Int64;
  hasCheckedAt @28 :Bool;
  closed @29 :Bool;
  hasClosed @30 :Bool;
  public @31 :Bool;
  hasPublic @32 :Bool;
  discount @33 :Float32;
  hasDiscount @34 :Bool;
}

struct Review @0x88c10aa419a063ba {
  score @0 :Float32;
  hasScore @1 :Bool;
  weight @2 :Float32;
  hasWeight @3 :Bool;
  text @4 :Text;
  title @5 :Text;
  answers @6 :List(Text);
  author @7 :UInt64;
  hasAuthor @8 :Bool;
  age @9 :Int32;
  hasAge @10 :Bool;
  language @11 :Text;
  device @12 :Int32;
  hasDevice @13 :Bool;
  place @14 :Text;
  signature @15 :Text;
  labels @16 :List(Text);
  dishes @17 :List(Int32);
  reports @18 :Int32;
  hasReports @19 :Bool;
  source @20 :Text;
  rating @21 :Rating;
}

struct Rating @0xd3ad4909742f053c {
  taste @0 :Float32;
  hasTaste @1 :Bool;
  price @2 :Float32;
  hasPrice @3 :Bool;
  service @4 :Float32;
  hasService @5 :Bool;
  hidden @6 :Bool;
  hasHidden @7 :Bool;
  edited @8 :Bool;
  hasEdited @9 :Bool;
  verified @10 :Bool;
  hasVerified @11 :Bool;
  recent @12 :Bool;
  hasRecent @13 :Bool;
  place @14 :Float32;
  hasPlace @15 :Bool;
  paid @16 :Bool;
  hasPaid @17 :Bool;
  trend @18 :Float32;
  hasTrend @19 :Bool;
  votes @20 :Int64;
  hasVotes @21 :Bool;
}
