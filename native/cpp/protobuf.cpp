// The address book with protobuf: protoc's classes, from and to plain values.
#include "protocol.hpp"
#include "tellist.hpp"
#include "tellist.pb.h"

using as::tellist::personal_info;
using as::tellist::personal_info_list;

namespace {

void build(const People& people, personal_info_list& message) {
  message.mutable_info()->Reserve(static_cast<int>(people.size()));
  for (const Person& person : people) {
    personal_info* info = message.add_info();
    info->set_id(person.id);
    info->set_name(person.name);
    info->set_age(person.age);
    info->set_gender(static_cast<as::tellist::gender_type>(person.gender));
    info->set_phone_num(person.phone_num);
  }
}

void parse(std::string_view bytes, personal_info_list& message) {
  if (!message.ParseFromArray(bytes.data(), static_cast<int>(bytes.size()))) throw std::runtime_error("protobuf refuses its own bytes");
}

People plain(const personal_info_list& message) {
  People people;
  people.reserve(static_cast<size_t>(message.info_size()));
  for (const personal_info& info : message.info())
    people.push_back({info.id(), info.name(), static_cast<uint8_t>(info.age()), static_cast<uint8_t>(info.gender()), info.phone_num()});
  return people;
}

int32_t visit(const personal_info_list& message) {
  uint32_t sum = static_cast<uint32_t>(message.info_size());
  for (const personal_info& info : message.info())
    sum += info.id() + wirebench::foldText(info.name()) + info.age() + static_cast<uint32_t>(info.gender()) + static_cast<uint32_t>(info.phone_num());
  return static_cast<int32_t>(sum);
}

/** A message made anew for each call. */
struct Anew {
  std::string encode(const People& people) {
    personal_info_list message;
    build(people, message);
    return message.SerializeAsString();
  }
  People decode(std::string_view bytes) {
    personal_info_list message;
    parse(bytes, message);
    return plain(message);
  }
  int32_t access(std::string_view bytes) {
    personal_info_list message;
    parse(bytes, message);
    return visit(message);
  }
};

/** One message and one buffer for all calls: both keep their memory. */
struct Reused {
  personal_info_list message;
  std::string buffer;

  std::string_view encode(const People& people) {
    message.Clear();
    build(people, message);
    message.SerializeToString(&buffer);
    return buffer;
  }
  People decode(std::string_view bytes) {
    parse(bytes, message);
    return plain(message);
  }
  int32_t access(std::string_view bytes) {
    parse(bytes, message);
    return visit(message);
  }
};

}  // namespace

int main() {
  const int version = GOOGLE_PROTOBUF_VERSION;  // 3021012
  const std::string text = std::to_string(version / 1000000) + "." + std::to_string(version / 1000 % 1000) + "." + std::to_string(version % 1000);
  return wirebench::run<People>("protobuf", text, {{"protobuf", wirebench::serve<Anew, People>}, {"protobuf:reused", wirebench::serve<Reused, People>}},
                                peopleOf);
}
