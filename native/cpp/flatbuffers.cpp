// The address book with FlatBuffers: flatc's classes, from and to plain values.
#include "protocol.hpp"
#include "tellist.hpp"
#include "tellist_generated.h"

namespace fb = as::tellist;

namespace {

/** Leaves the finished message in the builder. Its fields are added in the order of flatc's Create functions: by size. */
void build(const People& people, flatbuffers::FlatBufferBuilder& builder) {
  std::vector<flatbuffers::Offset<fb::personal_info>> info;
  info.reserve(people.size());
  for (const Person& person : people) {
    const auto name = builder.CreateString(person.name);
    info.push_back(fb::Createpersonal_info(builder, person.id, name, person.age, static_cast<fb::gender_type>(person.gender), person.phone_num));
  }
  builder.Finish(fb::Createpersonal_info_list(builder, builder.CreateVector(info)));
}

std::string_view written(const flatbuffers::FlatBufferBuilder& builder) {
  return {reinterpret_cast<const char*>(builder.GetBufferPointer()), builder.GetSize()};
}

People plain(const fb::personal_info_list& list) {
  People people;
  people.reserve(list.info()->size());
  for (const fb::personal_info* info : *list.info())
    people.push_back({info->id(), info->name()->str(), info->age(), static_cast<uint8_t>(info->gender()), info->phone_num()});
  return people;
}

int32_t visit(const fb::personal_info_list& list) {
  uint32_t sum = list.info()->size();
  for (const fb::personal_info* info : *list.info())
    sum += info->id() + wirebench::foldText(info->name()->string_view()) + info->age() + static_cast<uint32_t>(info->gender()) +
           static_cast<uint32_t>(info->phone_num());
  return static_cast<int32_t>(sum);
}

/** A builder made anew for each call. */
struct Anew {
  std::string encode(const People& people) {
    flatbuffers::FlatBufferBuilder builder;
    build(people, builder);
    return std::string(written(builder));
  }
  People decode(std::string_view bytes) { return plain(*fb::Getpersonal_info_list(bytes.data())); }
  int32_t access(std::string_view bytes) { return visit(*fb::Getpersonal_info_list(bytes.data())); }
};

/** One builder for all calls, which keeps its memory: what is written is read in it. */
struct Reused : Anew {
  flatbuffers::FlatBufferBuilder builder;

  std::string_view encode(const People& people) {
    builder.Clear();
    build(people, builder);
    return written(builder);
  }
};

/** The library's Verifier before reading: bytes from outside may say anything. */
struct Verified : Reused {
  static void verify(std::string_view bytes) {
    flatbuffers::Verifier verifier(reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size());
    if (!fb::Verifypersonal_info_listBuffer(verifier)) throw std::runtime_error("FlatBuffers refuses its own bytes");
  }
  People decode(std::string_view bytes) {
    verify(bytes);
    return Anew::decode(bytes);
  }
  int32_t access(std::string_view bytes) {
    verify(bytes);
    return Anew::access(bytes);
  }
};

}  // namespace

int main() {
  return wirebench::run<People>(
      "flatbuffers", WIREBENCH_VERSION(FLATBUFFERS_VERSION_MAJOR, FLATBUFFERS_VERSION_MINOR, FLATBUFFERS_VERSION_REVISION),
      {{"flatbuffers", wirebench::serve<Anew, People>},
       {"flatbuffers:reused", wirebench::serve<Reused, People>},
       {"flatbuffers:verified", wirebench::serve<Verified, People>}},
      peopleOf);
}
