// The address book with Cap'n Proto: capnp's classes, from and to plain values. A message is one segment, without its frame's packing.
#include <capnp/message.h>
#include <capnp/serialize.h>

#include "protocol.hpp"
#include "tellist.capnp.h"
#include "tellist.hpp"

namespace {

void build(const People& people, capnp::MessageBuilder& message) {
  auto list = message.initRoot<PersonalInfoList>().initInfo(static_cast<unsigned>(people.size()));
  for (unsigned i = 0; i < people.size(); ++i) {
    const Person& person = people[i];
    auto info = list[i];
    info.setId(person.id);
    info.setName(kj::StringPtr(person.name.c_str(), person.name.size()));
    info.setAge(person.age);
    info.setGender(static_cast<GenderType>(person.gender));
    info.setPhoneNum(person.phone_num);
  }
}

kj::ArrayPtr<const capnp::word> wordsOf(std::string_view bytes) {
  return {reinterpret_cast<const capnp::word*>(bytes.data()), bytes.size() / sizeof(capnp::word)};
}

/** The most that a message of so many people takes, in words: the first segment has to hold it, and takes no more. */
size_t wordsFor(const People& people) {
  size_t words = 3;
  for (const Person& person : people) words += 4 + person.name.size() / 8 + 1;
  return words;
}

/** Room that is made anew for each call. */
struct Anew {
  std::string encode(const People& people) {
    capnp::MallocMessageBuilder message(static_cast<unsigned>(wordsFor(people)));
    build(people, message);
    const auto segment = message.getSegmentsForOutput()[0].asBytes();
    const uint32_t frame[] = {0, static_cast<uint32_t>(segment.size() / sizeof(capnp::word))};
    std::string bytes;
    bytes.reserve(sizeof frame + segment.size());
    bytes.append(reinterpret_cast<const char*>(frame), sizeof frame);
    return bytes.append(reinterpret_cast<const char*>(segment.begin()), segment.size());
  }

  People decode(std::string_view bytes) {
    capnp::FlatArrayMessageReader message(wordsOf(bytes));
    const auto list = message.getRoot<PersonalInfoList>().getInfo();
    People people;
    people.reserve(list.size());
    for (const auto info : list) {
      const auto name = info.getName();
      people.push_back({info.getId(), std::string(name.cStr(), name.size()), info.getAge(), static_cast<uint8_t>(info.getGender()), info.getPhoneNum()});
    }
    return people;
  }

  int32_t access(std::string_view bytes) {
    capnp::FlatArrayMessageReader message(wordsOf(bytes));
    const auto list = message.getRoot<PersonalInfoList>().getInfo();
    uint32_t sum = list.size();
    for (const auto info : list) {
      const auto name = info.getName();
      sum += info.getId() + wirebench::foldText({name.cStr(), name.size()}) + info.getAge() + static_cast<uint32_t>(info.getGender()) +
             static_cast<uint32_t>(info.getPhoneNum());
    }
    return static_cast<int32_t>(sum);
  }
};

/** One piece of memory for all calls: the message is built behind its frame, and read there. */
struct Reused : Anew {
  std::vector<capnp::word> memory;

  std::string_view encode(const People& people) {
    if (memory.size() < 1 + wordsFor(people)) memory.resize(1 + wordsFor(people));
    kj::ArrayPtr<capnp::word> room(memory.data() + 1, memory.size() - 1);
    // A builder expects zeros: what the last message was written to is cleared, and no more.
    std::fill_n(reinterpret_cast<uint64_t*>(room.begin()), used, 0);
    capnp::FlatMessageBuilder message(room);
    build(people, message);
    const size_t size = used = message.getSegmentsForOutput()[0].size();
    const uint32_t frame[] = {0, static_cast<uint32_t>(size)};
    std::copy_n(reinterpret_cast<const char*>(frame), sizeof frame, reinterpret_cast<char*>(memory.data()));
    return {reinterpret_cast<const char*>(memory.data()), (1 + size) * sizeof(capnp::word)};
  }

 private:
  size_t used = 0;
};

}  // namespace

int main() {
  const std::string version = std::to_string(CAPNP_VERSION / 1000000) + "." + std::to_string(CAPNP_VERSION / 1000 % 1000) + "." + std::to_string(CAPNP_VERSION % 1000);
  return wirebench::run<People>("capnp", version, {{"capnp", wirebench::serve<Anew, People>}, {"capnp:reused", wirebench::serve<Reused, People>}}, peopleOf);
}
