// The address book as a C++ program holds it, whatever the format.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "json.hpp"

struct Person {
  uint32_t id;
  std::string name;
  uint8_t age;
  uint8_t gender;
  uint64_t phone_num;
};

using People = std::vector<Person>;

inline People peopleOf(const wirebench::Json& json) {
  People people;
  for (const wirebench::Json& one : json["info"].items)
    people.push_back({static_cast<uint32_t>(one["id"].integer()), one["name"].text, static_cast<uint8_t>(one["age"].integer()),
                      static_cast<uint8_t>(one["gender"].integer()), one["phone_num"].integer()});
  return people;
}
