// JSON as the job has it: a value, and a parser that trusts its writer. The text of a number is kept, so that 64 bits are exact.
#pragma once
#include <cctype>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

namespace wirebench {

struct Json {
  std::string text;  // of a string, a number, true, false or null
  std::vector<Json> items;
  std::map<std::string, Json> fields;

  /** A field; one without text, items or fields where there is none. */
  const Json& operator[](const std::string& key) const {
    static const Json absent;
    const auto found = fields.find(key);
    return found == fields.end() ? absent : found->second;
  }
  double number() const { return std::strtod(text.c_str(), nullptr); }
  uint64_t integer() const { return std::strtoull(text.c_str(), nullptr, 10); }
};

/** Parses one value. Throws std::runtime_error for what is no JSON. */
class JsonParser {
 public:
  explicit JsonParser(const std::string& text) : at_(text.c_str()) {}

  Json value() {
    skipSpace();
    Json result;
    if (*at_ == '"') {
      result.text = string();
    } else if (*at_ == '[') {
      list(']', [&] { result.items.push_back(value()); });
    } else if (*at_ == '{') {
      list('}', [&] {
        skipSpace();
        std::string key = string();
        expect(':');
        result.fields.emplace(std::move(key), value());
      });
    } else {
      while (std::isalnum(static_cast<unsigned char>(*at_)) || *at_ == '-' || *at_ == '+' || *at_ == '.') result.text += *at_++;
      if (result.text.empty()) fail();
    }
    return result;
  }

 private:
  const char* at_;

  [[noreturn]] void fail() const { throw std::runtime_error("the job is no JSON at: " + std::string(at_).substr(0, 20)); }

  void skipSpace() {
    while (std::isspace(static_cast<unsigned char>(*at_))) ++at_;
  }

  void expect(char wanted) {
    skipSpace();
    if (*at_ != wanted) fail();
    ++at_;
  }

  template <class Item>
  void list(char end, Item item) {
    ++at_;
    skipSpace();
    if (*at_ == end) {
      ++at_;
      return;
    }
    for (;;) {
      item();
      skipSpace();
      if (*at_ != ',') break;
      ++at_;
    }
    expect(end);
  }

  std::string string() {
    expect('"');
    std::string result;
    for (; *at_ != '"'; ++at_) {
      if (*at_ == '\0') fail();
      if (*at_ != '\\') result += *at_;
      else escape(*++at_, result);
    }
    ++at_;
    return result;
  }

  void escape(char kind, std::string& to) {
    switch (kind) {
      case 'n': to += '\n'; break;
      case 't': to += '\t'; break;
      case 'r': to += '\r'; break;
      case 'b': to += '\b'; break;
      case 'f': to += '\f'; break;
      case 'u': utf8(codePoint(), to); break;
      default: to += kind;
    }
  }

  uint32_t hex() {
    uint32_t unit = 0;
    for (int i = 0; i < 4; ++i) {
      const char digit = *++at_;
      if (!std::isxdigit(static_cast<unsigned char>(digit))) fail();
      unit = unit * 16 + static_cast<uint32_t>(std::isdigit(static_cast<unsigned char>(digit)) ? digit - '0' : (digit | 32) - 'a' + 10);
    }
    return unit;
  }

  uint32_t codePoint() {
    const uint32_t unit = hex();
    if (unit < 0xd800 || unit > 0xdbff || at_[1] != '\\' || at_[2] != 'u') return unit;
    at_ += 2;
    return 0x10000 + ((unit - 0xd800) << 10) + (hex() - 0xdc00);
  }

  static void utf8(uint32_t point, std::string& to) {
    if (point < 0x80) {
      to += static_cast<char>(point);
      return;
    }
    const int more = point < 0x800 ? 1 : point < 0x10000 ? 2 : 3;
    const uint32_t lead[] = {0, 0xc0, 0xe0, 0xf0};
    to += static_cast<char>(lead[more] | (point >> (6 * more)));
    for (int i = more - 1; i >= 0; --i) to += static_cast<char>(0x80 | ((point >> (6 * i)) & 0x3f));
  }
};

}  // namespace wirebench
