// The address book as a C struct with a flexible array, as the published benchmark had it: 8 + 37 * 48 bytes.
#include <cstddef>
#include <cstring>

#include "protocol.hpp"
#include "tellist.h"
#include "tellist.hpp"

namespace {

size_t sizeFor(size_t count) { return offsetof(personal_info_list, info) + count * sizeof(personal_info); }

/** Writes to bytes that are 0: those of padding stay so. */
void write(const People& people, personal_info_list* list) {
  list->size = static_cast<int>(people.size());
  personal_info* info = list->info;
  for (const Person& person : people) {
    info->id = person.id;
    info->age = person.age;
    info->gender = static_cast<char>(person.gender);
    info->phone_num = person.phone_num;
    if (person.name.size() >= sizeof info->name) throw std::runtime_error("a name of 32 bytes or more");
    std::memcpy(info->name, person.name.data(), person.name.size());
    ++info;
  }
}

const personal_info_list& listOf(std::string_view bytes) {
  const auto* list = reinterpret_cast<const personal_info_list*>(bytes.data());
  if (bytes.size() < sizeFor(0) || bytes.size() < sizeFor(static_cast<size_t>(list->size))) throw std::runtime_error("too few bytes");
  return *list;
}

std::string_view nameOf(const personal_info& info) { return {info.name, strnlen(info.name, sizeof info.name)}; }

/** A buffer made anew for each call. */
struct Anew {
  std::string encode(const People& people) {
    std::string bytes(sizeFor(people.size()), '\0');
    write(people, reinterpret_cast<personal_info_list*>(bytes.data()));
    return bytes;
  }

  People decode(std::string_view bytes) {
    const personal_info_list& list = listOf(bytes);
    People people;
    people.reserve(static_cast<size_t>(list.size));
    for (int i = 0; i < list.size; ++i) {
      const personal_info& info = list.info[i];
      people.push_back({info.id, std::string(nameOf(info)), info.age, static_cast<uint8_t>(info.gender), info.phone_num});
    }
    return people;
  }

  int32_t access(std::string_view bytes) {
    const personal_info_list& list = listOf(bytes);
    uint32_t sum = static_cast<uint32_t>(list.size);
    for (int i = 0; i < list.size; ++i) {
      const personal_info& info = list.info[i];
      sum += info.id + wirebench::foldText(nameOf(info)) + info.age + static_cast<uint32_t>(info.gender) + static_cast<uint32_t>(info.phone_num);
    }
    return static_cast<int32_t>(sum);
  }
};

/** One buffer for all calls. */
struct Reused : Anew {
  std::string buffer;

  std::string_view encode(const People& people) {
    const size_t size = sizeFor(people.size());
    buffer.assign(size, '\0');
    write(people, reinterpret_cast<personal_info_list*>(buffer.data()));
    return buffer;
  }
};

}  // namespace

int main() {
  return wirebench::run<People>("c-struct", WIREBENCH_VERSION(__GNUC__, __GNUC_MINOR__, __GNUC_PATCHLEVEL__),
                                {{"raw-struct", wirebench::serve<Anew, People>}, {"raw-struct:reused", wirebench::serve<Reused, People>}}, peopleOf);
}
