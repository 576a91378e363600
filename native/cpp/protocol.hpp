// The protocol of ../README.md, for a C++ program: it reads the job, measures the operations of a system, and answers.
//
// A system is a class over a plain value of the dataset:
//
//     struct Protobuf {
//       std::string encode(const Value& value);    // or a std::string_view into a buffer that the next call reuses
//       Value decode(std::string_view bytes);      // what is read begins at an address that 16 divides
//       int32_t access(std::string_view bytes);
//     };
#pragma once
#include <time.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <iostream>
#include <string_view>
#include <type_traits>

#include "json.hpp"

namespace wirebench {

constexpr int PROTOCOL = 1;

#define WIREBENCH_TEXT(x) #x
#define WIREBENCH_VERSION(major, minor, patch) WIREBENCH_TEXT(major) "." WIREBENCH_TEXT(minor) "." WIREBENCH_TEXT(patch)
#ifdef __clang__
constexpr const char* COMPILER = "clang++ " WIREBENCH_VERSION(__clang_major__, __clang_minor__, __clang_patchlevel__);
#else
constexpr const char* COMPILER = "g++ " WIREBENCH_VERSION(__GNUC__, __GNUC_MINOR__, __GNUC_PATCHLEVEL__);
#endif

/** Nanoseconds of a clock: CLOCK_MONOTONIC, or CLOCK_THREAD_CPUTIME_ID for those of this thread on a core. */
inline int64_t nanos(clockid_t clock) {
  timespec time;
  clock_gettime(clock, &time);
  return int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec;
}

/** The compiler has to make the value, and to forget what it knows of memory. */
template <class T>
inline void keep(const T& value) {
  asm volatile("" : : "r"(&value) : "memory");
}

template <class T>
T median(std::vector<T> values) {
  std::nth_element(values.begin(), values.begin() + values.size() / 2, values.end());
  return values[values.size() / 2];
}

/** Turns of fixed work that tells how fast the core is: that of src/measure/core-speed.ts. */
constexpr int PROBE_TURNS = 1024;
inline uint32_t work() {
  static const auto numbers = [] {
    std::vector<uint32_t> made(128);
    for (uint32_t i = 0; i < 128; ++i) made[i] = i * 0x9e3779b1u;
    return made;
  }();
  const uint32_t* from = numbers.data();
  uint32_t a = 1, b = 2, c = 3, d = 4;
  for (uint32_t i = 0; i < PROBE_TURNS; ++i) {
    a += from[i & 127];
    b ^= i + (a << 1);
    c += i * 5;
    d += from[(i * 7) & 127] ^ i;
    a ^= d >> 3;
    c -= b;
  }
  return a + b + c + d;
}

/** Nanoseconds of the work. Done once before, it does not depend on what a codec has left in caches. */
inline int64_t probe() {
  keep(work());
  const int64_t start = nanos(CLOCK_MONOTONIC);
  keep(work());
  return nanos(CLOCK_MONOTONIC) - start;
}

struct Job {
  std::string system;
  std::vector<Json> values;
  std::vector<std::string> operations;
  double warmupMs, measureMs, batchMicros;
  /** In place of a warm-up and of as many batches as these times have: calls of a single batch; 0 for none. */
  int64_t calls;
};

/** Writes lines of the answer. */
class Answer {
 public:
  static void line(const std::string& text) { std::cout << text << '\n' << std::flush; }

  template <class T>
  static std::string list(const std::vector<T>& values) {
    std::string text = "[";
    for (const T& value : values) text += (text.size() > 1 ? "," : "") + std::to_string(value);
    return text + "]";
  }

  static std::string base64(std::string_view bytes) {
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string text;
    for (size_t i = 0; i < bytes.size(); i += 3) {
      const size_t count = std::min<size_t>(3, bytes.size() - i);
      uint32_t group = 0;
      for (size_t k = 0; k < 3; ++k) group = (group << 8) | (k < count ? static_cast<unsigned char>(bytes[i + k]) : 0);
      for (size_t k = 0; k < 4; ++k) text += k <= count ? digits[(group >> (18 - 6 * k)) & 63] : '=';
    }
    return text;
  }

  static std::string base64(const std::vector<std::string>& messages) {
    std::string text = "[";
    for (const std::string& one : messages) text += (text.size() > 1 ? ",\"" : "\"") + base64(one) + "\"";
    return text + "]";
  }
};

/** What batches took: nanoseconds on a core, by the clock, and of the probe before the first and after each. */
struct Batches {
  std::vector<int64_t> calls, core, wall, probes;
};

/** Calls an operation in batches round a ring of inputs, and answers with what they took. */
template <class Input, class Run, class Fold>
class Sampler {
 public:
  Sampler(const Job& job, std::string operation, const std::vector<Input>& inputs, Run& run, Fold& fold)
      : job_(job), operation_(std::move(operation)), inputs_(inputs), run_(run), fold_(fold) {}

  void measure() {
    std::vector<int32_t> folds;
    const int64_t start = nanos(CLOCK_MONOTONIC);
    folds.push_back(one(inputs_[0]));
    const int64_t first = nanos(CLOCK_MONOTONIC) - start;
    for (size_t i = 1; i < inputs_.size(); ++i) folds.push_back(one(inputs_[i]));
    readings();
    const double loop = emptyLoop();
    const Batches warmUp = job_.calls > 0 ? Batches{} : calibrate();
    readings();
    const Batches batches = job_.calls > 0 ? oneBatch() : measured();
    Answer::line("{\"measured\":{\"operation\":\"" + operation_ + "\",\"batchCalls\":" + std::to_string(batchCalls_) +
                 ",\"core\":" + Answer::list(batches.core) + ",\"wall\":" + Answer::list(batches.wall) +
                 ",\"probes\":" + Answer::list(batches.probes) + ",\"turns\":" + std::to_string(PROBE_TURNS) +
                 ",\"loop\":" + std::to_string(loop) + ",\"first\":" + std::to_string(first) +
                 ",\"warmUp\":{\"calls\":" + Answer::list(warmUp.calls) + ",\"core\":" + Answer::list(warmUp.core) + "}" +
                 ",\"folds\":" + Answer::list(folds) + ",\"calls\":" + std::to_string(calls_) +
                 ",\"sum\":" + std::to_string(static_cast<int32_t>(sum_)) + ",\"clock\":\"thread-cpu\",\"clockStep\":" +
                 std::to_string(clockStep_) + "}}");
  }

 private:
  const Job& job_;
  const std::string operation_;
  const std::vector<Input>& inputs_;
  Run& run_;
  Fold& fold_;
  int64_t batchCalls_ = 1, calls_ = 0, readingCost_ = 0, clockStep_ = 1;
  size_t next_ = 0;
  uint32_t sum_ = 0;

  int32_t one(const Input& input) {
    auto&& result = run_(input);
    keep(result);
    return fold_(result);
  }

  /** The timed loop, of one function for every operation so that its cost can be told apart. */
  template <class Inputs, class Call, class Folds>
  __attribute__((noinline)) static uint32_t loop(const Inputs& inputs, size_t& next, int64_t count, Call& call, Folds& folds) {
    uint32_t sum = 0;
    for (int64_t i = 0; i < count; ++i) {
      auto&& result = call(inputs[next]);
      keep(result);
      sum += static_cast<uint32_t>(folds(result));
      if (++next == inputs.size()) next = 0;
    }
    return sum;
  }

  /** What reading the thread's clock around a batch adds to it, and that clock's step. */
  void readings() {
    std::vector<int64_t> costs;
    for (int i = 0; i < 250; ++i) {
      const int64_t before = nanos(CLOCK_THREAD_CPUTIME_ID);
      nanos(CLOCK_MONOTONIC);
      nanos(CLOCK_MONOTONIC);
      costs.push_back(nanos(CLOCK_THREAD_CPUTIME_ID) - before);
    }
    readingCost_ = median(costs);
    std::sort(costs.begin(), costs.end());
    int64_t step = costs.back();
    for (size_t i = 1; i < costs.size(); ++i)
      if (costs[i] > costs[i - 1]) step = std::min(step, costs[i] - costs[i - 1]);
    clockStep_ = std::max<int64_t>(step, 1);
  }

  void batch(Batches& to) {
    const int64_t before = nanos(CLOCK_THREAD_CPUTIME_ID);
    const int64_t start = nanos(CLOCK_MONOTONIC);
    sum_ += loop(inputs_, next_, batchCalls_, run_, fold_);
    const int64_t wall = nanos(CLOCK_MONOTONIC) - start;
    const int64_t core = nanos(CLOCK_THREAD_CPUTIME_ID) - before - readingCost_;
    calls_ += batchCalls_;
    to.calls.push_back(batchCalls_);
    to.core.push_back(std::max<int64_t>(core, 1));
    to.wall.push_back(std::max<int64_t>(wall, 1));
    if (wall > 1'000'000'000) Answer::line("{\"after\":\"a call of " + operation_ + " had ended\"}");
  }

  /** Nanoseconds per turn of the loop around nothing. */
  double emptyLoop() {
    constexpr int64_t turns = 1 << 14;
    std::vector<uint32_t> numbers(inputs_.size());
    auto same = [](uint32_t number) { return number; };
    std::vector<int64_t> times;
    for (int i = 0; i < 24; ++i) {
      size_t next = 0;
      const int64_t start = nanos(CLOCK_THREAD_CPUTIME_ID);
      keep(loop(numbers, next, turns, same, same));
      times.push_back(nanos(CLOCK_THREAD_CPUTIME_ID) - start - readingCost_);
    }
    return static_cast<double>(median(std::vector<int64_t>(times.begin() + 12, times.end()))) / turns;
  }

  /** A phase ends after its time on a core, or after twice that by the clock. */
  static double spentMs(int64_t core, int64_t wall) { return std::max<double>(core, wall / 2.0) / 1e6; }

  Batches calibrate() {
    Batches warmUp;
    int64_t core = 0, wall = 0;
    const double aimed = std::max(job_.batchMicros * 1000, 400.0 * clockStep_);
    for (bool isShort = true; isShort || spentMs(core, wall) < job_.warmupMs;) {
      const size_t from = warmUp.core.size();
      for (int i = 0; i < 5; ++i) {
        batch(warmUp);
        core += warmUp.core.back();
        wall += warmUp.wall.back();
        if (spentMs(core, wall) > job_.warmupMs && warmUp.core.back() > aimed) break;
      }
      const double usual = median(std::vector<int64_t>(warmUp.core.begin() + from, warmUp.core.end()));
      isShort = usual < aimed / 4 && batchCalls_ < MOST_CALLS;
      if (usual < aimed / 2 && batchCalls_ < MOST_CALLS) batchCalls_ *= 2;
      else if (usual > aimed * 1.5 && batchCalls_ > 1) batchCalls_ /= 2;
    }
    return warmUp;
  }

  static constexpr int64_t MOST_CALLS = 1 << 20;

  Batches oneBatch() {
    Batches batches;
    batchCalls_ = job_.calls;
    batches.probes.push_back(probe());
    batch(batches);
    batches.probes.push_back(probe());
    return batches;
  }

  Batches measured() {
    Batches batches;
    batches.probes.push_back(probe());
    int64_t core = 0, wall = 0;
    const auto isDone = [&] {
      const size_t made = batches.core.size();
      const double spent = spentMs(core, wall);
      return spent >= job_.measureMs && (made >= 16 || (made >= 3 && spent >= 4 * job_.measureMs));
    };
    while (!isDone()) {
      batch(batches);
      batches.probes.push_back(probe());
      core += batches.core.back();
      wall += batches.wall.back();
    }
    return batches;
  }
};

template <class Input, class Run, class Fold>
void sample(const Job& job, const std::string& operation, const std::vector<Input>& inputs, Run run, Fold fold) {
  Sampler<Input, Run, Fold>(job, operation, inputs, run, fold).measure();
}

/** What the loop adds up of bytes. */
inline int32_t foldBytes(std::string_view bytes) {
  if (bytes.empty()) return 0;
  return static_cast<int32_t>(bytes.size()) + static_cast<unsigned char>(bytes.back()) + static_cast<unsigned char>(bytes[bytes.size() >> 1]);
}

/** What `access` adds up of a text. */
inline uint32_t foldText(std::string_view text) {
  return text.empty() ? 0 : static_cast<uint32_t>(text.size()) + static_cast<unsigned char>(text[0]);
}

/** Measures a system's operations on some values, and proves its bytes. */
template <class System, class Value>
void serve(const Job& job, const std::vector<Value>& values) {
  System system;
  std::vector<std::string> encoded;
  for (const Value& value : values) encoded.emplace_back(system.encode(value));
  for (const std::string& operation : job.operations) {
    if (operation == "encode") sample(job, operation, values, [&](const Value& value) { return system.encode(value); }, foldBytes);
    if (operation == "decode")
      sample(job, operation, encoded, [&](const std::string& bytes) { return system.decode(bytes); },
             [](const Value& value) { return static_cast<int32_t>(value.size()); });
    if (operation == "access")
      sample(job, operation, encoded, [&](const std::string& bytes) { return system.access(bytes); }, [](int32_t sum) { return sum; });
  }
  std::vector<std::string> again;
  for (const std::string& bytes : encoded) again.emplace_back(system.encode(system.decode(bytes)));
  Answer::line("{\"proof\":{\"encoded\":" + Answer::base64(encoded) + ",\"again\":" + Answer::base64(again) + "}}");
}

template <class Value>
using Systems = std::map<std::string, void (*)(const Job&, const std::vector<Value>&)>;

/**
 * The program: reads the job, says hello, and serves it.
 * @param valueOf the plain value of a dataset's value as JSON
 */
template <class Value>
int run(const std::string& library, const std::string& version, const Systems<Value>& systems, Value (*valueOf)(const Json&)) {
  try {
    std::ios::sync_with_stdio(false);
    std::string line;
    std::getline(std::cin, line);
    const Json json = JsonParser(line).value();
    Answer::line("{\"hello\":{\"protocol\":" + std::to_string(PROTOCOL) + ",\"language\":\"C++\",\"compiler\":\"" + COMPILER + "\",\"libraries\":{\"" +
                 library + "\":\"" + version + "\"}}}");
    if (json["protocol"].integer() != PROTOCOL || json["system"].text.empty()) return 0;
    const auto system = systems.find(json["system"].text);
    if (system == systems.end()) throw std::runtime_error("there is no system " + json["system"].text);
    Job job{json["system"].text, json["values"].items, {}, json["warmupMs"].number(), json["measureMs"].number(), json["batchMicros"].number(),
            static_cast<int64_t>(json["calls"].integer())};
    for (const Json& operation : json["operations"].items) job.operations.push_back(operation.text);
    std::vector<Value> values;
    for (const Json& value : job.values) values.push_back(valueOf(value));
    system->second(job, values);
    return 0;
  } catch (const std::exception& error) {
    std::cerr << "error: " << error.what() << std::endl;
    return 1;
  }
}

}  // namespace wirebench
