# The address book of the published FlatBuffers benchmark (2014), for Cap'n Proto.
@0xee1bbc7d12dbe43f;

struct PersonalInfoList @0xfaf43ad49ab89ce1 {
  info @0 :List(PersonalInfo);
}

struct PersonalInfo @0xa0c5e387ae6f276d {
  id @0 :UInt32;
  name @1 :Text;
  age @2 :UInt8;
  gender @3 :GenderType;  # 16 bits wide: Cap'n Proto has no enum of one byte.
  phoneNum @4 :UInt64;
}

enum GenderType {
  male @0;
  female @1;
  other @2;
}
