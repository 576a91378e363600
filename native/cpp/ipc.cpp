// Messages between processes over Unix sockets, with protobuf and Cap'n Proto: talkers and listeners, as the published benchmark has them.
//
// A job is a line of JSON: {"protocol": 1, "exchange": {"codec": "protobuf", "message": "frame", "bytes": 6500000, "messages": 100,
// "talkers": 1, "listeners": 1}}. The answer is hello, and one line for all messages that each listener got. A talker sends every message to each
// listener, and the next one when all have answered; with "window" it lets so many be on their way. With "rateHz" it sends at that pace. With
// "lossy" it waits for nobody: while a message is on its way to a listener, the newest "window" of those after it wait, and the others are dropped.
#include <capnp/message.h>
#include <capnp/serialize.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstring>
#include <deque>
#include <memory>
#include <optional>

#include "cloud.capnp.h"
#include "cloud.pb.h"
#include "frame.capnp.h"
#include "frame.pb.h"
#include "protocol.hpp"

namespace {

struct Exchange {
  std::string codec, message;
  size_t bytes;
  int messages, talkers, listeners, window, warmUp;
  double rateHz;
  bool lossy;
};

/** The plain values: a picture, and a scan. */
struct Picture {
  uint32_t sequence, width, height;
  uint64_t stamp;
  std::string source, encoding, data;
  bool operator==(const Picture& other) const {
    return sequence == other.sequence && width == other.width && height == other.height && stamp == other.stamp && source == other.source &&
           encoding == other.encoding && data == other.data;
  }
};

struct ScanPoint {
  float x, y, z, intensity;
  bool operator==(const ScanPoint& other) const { return x == other.x && y == other.y && z == other.z && intensity == other.intensity; }
};

struct Scan {
  uint32_t sequence;
  uint64_t stamp;
  std::string source;
  std::vector<ScanPoint> points;
  bool operator==(const Scan& other) const {
    return sequence == other.sequence && stamp == other.stamp && source == other.source && points == other.points;
  }
};

/** Bytes that do not compress, the same in every process. */
uint32_t noise(uint32_t& state) {
  state ^= state << 13;
  state ^= state >> 17;
  return state ^= state << 5;
}

void make(size_t bytes, Picture& picture) {
  uint32_t state = 1;
  picture = {1000, 1920, static_cast<uint32_t>((bytes + 5759) / 5760), 1'700'000'000'000'000, "camera/front", "rgb8", std::string(bytes, '\0')};
  for (char& one : picture.data) one = static_cast<char>(noise(state));
}

void make(size_t bytes, Scan& scan) {
  uint32_t state = 1;
  const auto coordinate = [&] { return static_cast<float>(noise(state) % 200000) / 1000.0f - 100.0f; };
  scan = {1000, 1'700'000'000'000'000, "lidar/roof", {}};
  for (size_t i = 0; i < (bytes + 15) / 16; ++i) scan.points.push_back({coordinate(), coordinate(), coordinate(), coordinate()});
}

/** Bytes as a codec gives and takes them: at an address that 8 divides. */
using Bytes = std::vector<capnp::word>;

struct Protobuf {
  static void fill(const Picture& from, frame::Frame& to) {
    to.mutable_header()->set_sequence(from.sequence);
    to.mutable_header()->set_stamp(from.stamp);
    to.mutable_header()->set_source(from.source);
    to.set_width(from.width);
    to.set_height(from.height);
    to.set_encoding(from.encoding);
    to.set_data(from.data);
  }
  static void fill(const Scan& from, cloud::Cloud& to) {
    to.set_sequence(from.sequence);
    to.set_stamp(from.stamp);
    to.set_source(from.source);
    to.mutable_points()->Reserve(static_cast<int>(from.points.size()));
    for (const ScanPoint& point : from.points) {
      cloud::Point* one = to.add_points();
      one->set_x(point.x);
      one->set_y(point.y);
      one->set_z(point.z);
      one->set_intensity(point.intensity);
    }
  }
  static void take(const frame::Frame& from, Picture& to) {
    to = {from.header().sequence(), from.width(), from.height(), from.header().stamp(), from.header().source(), from.encoding(), from.data()};
  }
  static void take(const cloud::Cloud& from, Scan& to) {
    to = {from.sequence(), from.stamp(), from.source(), {}};
    to.points.reserve(static_cast<size_t>(from.points_size()));
    for (const cloud::Point& point : from.points()) to.points.push_back({point.x(), point.y(), point.z(), point.intensity()});
  }

  /** The message keeps its memory from one call to the next, as the library advises. */
  template <class Message, class Value>
  struct Of {
    Message message;

    size_t encode(const Value& value, Bytes& to) {
      message.Clear();
      fill(value, message);
      const size_t size = message.ByteSizeLong();
      to.resize((size + 7) / 8);
      message.SerializeWithCachedSizesToArray(reinterpret_cast<uint8_t*>(to.data()));
      return size;
    }
    void decode(const Bytes& bytes, size_t size, Value& value) {
      if (!message.ParseFromArray(bytes.data(), static_cast<int>(size))) throw std::runtime_error("protobuf refuses a message");
      take(message, value);
    }
  };
};

struct Capnp {
  static void fill(const Picture& from, capnp::MessageBuilder& message) {
    auto to = message.initRoot<Frame>();
    auto header = to.initHeader();
    header.setSequence(from.sequence);
    header.setStamp(from.stamp);
    header.setSource(from.source.c_str());
    to.setWidth(from.width);
    to.setHeight(from.height);
    to.setEncoding(from.encoding.c_str());
    std::memcpy(to.initData(static_cast<unsigned>(from.data.size())).begin(), from.data.data(), from.data.size());
  }
  static void fill(const Scan& from, capnp::MessageBuilder& message) {
    auto to = message.initRoot<Cloud>();
    to.setSequence(from.sequence);
    to.setStamp(from.stamp);
    to.setSource(from.source.c_str());
    auto points = to.initPoints(static_cast<unsigned>(from.points.size()));
    for (unsigned i = 0; i < from.points.size(); ++i) {
      auto one = points[i];
      one.setX(from.points[i].x);
      one.setY(from.points[i].y);
      one.setZ(from.points[i].z);
      one.setIntensity(from.points[i].intensity);
    }
  }
  static void take(capnp::MessageReader& message, Picture& to) {
    const auto from = message.getRoot<Frame>();
    const auto data = from.getData();
    to = {from.getHeader().getSequence(), from.getWidth(), from.getHeight(), from.getHeader().getStamp(), from.getHeader().getSource().cStr(),
          from.getEncoding().cStr(), std::string(reinterpret_cast<const char*>(data.begin()), data.size())};
  }
  static void take(capnp::MessageReader& message, Scan& to) {
    const auto from = message.getRoot<Cloud>();
    const auto points = from.getPoints();
    to = {from.getSequence(), from.getStamp(), from.getSource().cStr(), {}};
    to.points.reserve(points.size());
    for (const auto point : points) to.points.push_back({point.getX(), point.getY(), point.getZ(), point.getIntensity()});
  }
  static size_t sizeOf(const Picture& value) { return value.data.size() + 256; }
  static size_t sizeOf(const Scan& value) { return value.points.size() * sizeof(ScanPoint) + 256; }

  template <class Value>
  struct Of {
    size_t encode(const Value& value, Bytes& to) {
      // One segment, in place behind its frame: nothing is copied once more.
      const size_t room = sizeOf(value) / sizeof(capnp::word);
      to.assign(1 + room, capnp::word{});
      capnp::FlatMessageBuilder message(kj::arrayPtr(to.data() + 1, room));
      fill(value, message);
      const uint32_t words = static_cast<uint32_t>(message.getSegmentsForOutput()[0].size());
      const uint32_t frame[] = {0, words};
      std::memcpy(to.data(), frame, sizeof frame);
      return (1 + words) * sizeof(capnp::word);
    }
    void decode(const Bytes& bytes, size_t size, Value& value) {
      capnp::ReaderOptions options;
      options.traversalLimitInWords = uint64_t{1} << 32;
      capnp::FlatArrayMessageReader message(kj::arrayPtr(bytes.data(), size / sizeof(capnp::word)), options);
      take(message, value);
    }
  };
};

void sendAll(int socket, const void* data, size_t size) {
  for (const char* at = static_cast<const char*>(data); size > 0;) {
    const ssize_t sent = send(socket, at, size, MSG_NOSIGNAL);
    if (sent <= 0) throw std::runtime_error(std::string("send: ") + std::strerror(errno));
    at += sent;
    size -= static_cast<size_t>(sent);
  }
}

void receiveAll(int socket, void* data, size_t size) {
  for (char* at = static_cast<char*>(data); size > 0;) {
    const ssize_t got = recv(socket, at, size, 0);
    if (got <= 0) throw std::runtime_error(got == 0 ? "a peer has closed its socket" : std::string("recv: ") + std::strerror(errno));
    at += got;
    size -= static_cast<size_t>(got);
  }
}

/** What stands before a message, and what a listener answers; times by CLOCK_MONOTONIC, which all processes share. */
struct Head {
  uint64_t size, sequence;
};
struct Ack {
  int64_t received, decoded;
  uint64_t sequence, same;
};

/** What one listener knows of each message, warm-up included: 0 where it was dropped. */
struct Log {
  std::vector<int64_t> begun, encoded, received, decoded;
  size_t acknowledged = 0, dropped = 0;

  explicit Log(size_t all) : begun(all), encoded(all), received(all), decoded(all) {}

  void note(const Ack& ack) {
    if (!ack.same) throw std::runtime_error("a listener decoded another value");
    received.at(ack.sequence) = ack.received;
    decoded.at(ack.sequence) = ack.decoded;
    ++acknowledged;
  }
};

/** The messages on their way to a listener that may lose some: one is being sent, and the newest after it wait. */
class Lossy {
 public:
  using Message = std::pair<Head, std::shared_ptr<Bytes>>;

  Lossy(int socket, Log& log, size_t most) : socket(socket), log(log), most(most) {}

  void offer(const Message& message) {
    waiting.push_back(message);
    proceed();
    if (waiting.size() <= most) return;
    waiting.pop_front();
    ++log.dropped;
  }
  bool isSending() const { return sending.second != nullptr; }

  /** Sends what the socket takes, and reads what has been answered. */
  void proceed() {
    while (sending.second || next()) {
      const bool inHead = at < sizeof(Head);
      const char* from = inHead ? reinterpret_cast<const char*>(&sending.first) + at : reinterpret_cast<const char*>(sending.second->data()) + at - sizeof(Head);
      const size_t size = (inHead ? sizeof(Head) : sizeof(Head) + sending.first.size) - at;
      const ssize_t sent = send(socket, from, size, MSG_NOSIGNAL | MSG_DONTWAIT);
      if (sent < 0 && (errno == EAGAIN || errno == EINTR)) break;
      if (sent <= 0) throw std::runtime_error(std::string("send: ") + std::strerror(errno));
      at += static_cast<size_t>(sent);
      if (at < sizeof(Head) + sending.first.size) continue;
      sending = {};
      at = 0;
    }
    for (;;) {
      const ssize_t got = recv(socket, reinterpret_cast<char*>(&ack) + gotOfAck, sizeof ack - gotOfAck, MSG_DONTWAIT);
      if (got < 0 && (errno == EAGAIN || errno == EINTR)) return;
      if (got <= 0) throw std::runtime_error("a peer has closed its socket");
      gotOfAck += static_cast<size_t>(got);
      if (gotOfAck < sizeof ack) continue;
      log.note(ack);
      gotOfAck = 0;
    }
  }

 private:
  bool next() {
    if (waiting.empty()) return false;
    sending = std::move(waiting.front());
    waiting.pop_front();
    return true;
  }

  int socket;
  Log& log;
  size_t most;
  Message sending;
  std::deque<Message> waiting;
  size_t at = 0, gotOfAck = 0;
  Ack ack;
};

/** When each message is due; at once without a pace. */
class Pace {
 public:
  explicit Pace(double rateHz) : period(rateHz > 0 ? 1e9 / rateHz : 0) {}

  int64_t due(int message) const { return started + static_cast<int64_t>(message * period); }
  void await(int message) const {
    if (period == 0) return;
    const int64_t at = due(message);
    const timespec time{at / 1'000'000'000, at % 1'000'000'000};
    while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &time, nullptr) == EINTR) continue;
  }

 private:
  double period;
  int64_t started = wirebench::nanos(CLOCK_MONOTONIC);
};

void writeAll(int file, const std::string& text) {
  for (size_t at = 0; at < text.size();) {
    const ssize_t written = write(file, text.data() + at, text.size() - at);
    if (written <= 0) throw std::runtime_error("the answer cannot be written");
    at += static_cast<size_t>(written);
  }
}

/** Says every second that messages go on: what they took is told when all have gone. */
class Alive {
 public:
  explicit Alive(int report) : report(report) {}

  void tell(int sent) {
    const int64_t now = wirebench::nanos(CLOCK_MONOTONIC);
    if (report < 0 || now - last < 1'000'000'000) return;
    last = now;
    writeAll(report, "{\"after\":\"" + std::to_string(sent) + " messages were sent\"}\n");
  }

 private:
  int report;
  int64_t last = wirebench::nanos(CLOCK_MONOTONIC);
};

/** Sends and waits for nobody until all is sent. */
template <class Codec, class Value>
void sendLossy(const Exchange& exchange, const std::vector<int>& sockets, Codec& codec, Value& value, std::vector<Log>& logs, Alive& alive) {
  std::vector<Lossy> links;
  std::vector<pollfd> polled;
  for (size_t k = 0; k < sockets.size(); ++k) {
    links.emplace_back(sockets[k], logs[k], static_cast<size_t>(exchange.window));
    polled.push_back({sockets[k], POLLIN, 0});
  }
  // Buffers whose messages have gone are used again.
  std::vector<std::shared_ptr<Bytes>> buffers;
  const auto spare = [&] {
    for (const auto& one : buffers)
      if (one.use_count() == 1) return one;
    buffers.push_back(std::make_shared<Bytes>());
    return buffers.back();
  };
  const int all = exchange.warmUp + exchange.messages;
  const Pace pace(exchange.rateHz);
  for (int i = 0;;) {
    alive.tell(i);
    const int64_t now = wirebench::nanos(CLOCK_MONOTONIC), due = pace.due(i);
    if (i < all && now >= due) {
      auto bytes = spare();
      value.sequence = static_cast<uint32_t>(1000 + i);
      const size_t at = static_cast<size_t>(i);
      const int64_t begun = wirebench::nanos(CLOCK_MONOTONIC);
      const Head head{codec.encode(value, *bytes), at};
      const int64_t encoded = wirebench::nanos(CLOCK_MONOTONIC);
      for (size_t k = 0; k < links.size(); ++k) {
        logs[k].begun[at] = begun;
        logs[k].encoded[at] = encoded;
        links[k].offer({head, bytes});
      }
      ++i;
      continue;
    }
    bool isDone = i == all;
    for (size_t k = 0; k < links.size(); ++k) {
      polled[k].events = static_cast<short>(POLLIN | (links[k].isSending() ? POLLOUT : 0));
      isDone = isDone && logs[k].acknowledged + logs[k].dropped == static_cast<size_t>(all);
    }
    if (isDone) return;
    const int wait = i == all ? -1 : static_cast<int>(std::min<int64_t>((due - now + 999'999) / 1'000'000, 1000));
    if (poll(polled.data(), polled.size(), wait) < 0) throw std::runtime_error("poll");
    for (Lossy& link : links) link.proceed();
  }
}

/** Sends each message as soon as its listeners have answered enough of those before it. */
template <class Codec, class Value>
void sendInTurn(const Exchange& exchange, const std::vector<int>& sockets, Codec& codec, Value& value, std::vector<Log>& logs, Alive& alive) {
  Bytes bytes;
  const auto acknowledged = [&](size_t until) {
    for (size_t k = 0; k < sockets.size(); ++k)
      while (logs[k].acknowledged < until) {
        Ack ack;
        receiveAll(sockets[k], &ack, sizeof ack);
        logs[k].note(ack);
      }
  };
  const size_t warmUp = static_cast<size_t>(exchange.warmUp), all = warmUp + static_cast<size_t>(exchange.messages);
  const size_t window = static_cast<size_t>(exchange.window);
  std::optional<Pace> pace;
  for (size_t i = 0; i < all; ++i) {
    alive.tell(static_cast<int>(i));
    // What counts begins when the warm-up is over.
    if (i == warmUp) {
      acknowledged(i);
      pace.emplace(exchange.rateHz);
    }
    if (pace) pace->await(static_cast<int>(i - warmUp));
    value.sequence = static_cast<uint32_t>(1000 + i);
    const int64_t begun = wirebench::nanos(CLOCK_MONOTONIC);
    const Head head{codec.encode(value, bytes), i};
    const int64_t encoded = wirebench::nanos(CLOCK_MONOTONIC);
    for (size_t k = 0; k < sockets.size(); ++k) {
      logs[k].begun[i] = begun;
      logs[k].encoded[i] = encoded;
      sendAll(sockets[k], &head, sizeof head);
      sendAll(sockets[k], bytes.data(), head.size);
    }
    // So many of the i + 1 that were sent are not on their way any more that there is room for another.
    if (i + 2 > window) acknowledged(i + 2 - window);
  }
  acknowledged(all);
}

template <class Codec, class Value>
void talk(const Exchange& exchange, const std::vector<int>& sockets, int report, bool isFirst) {
  Codec codec;
  Value value;
  make(exchange.bytes, value);
  std::vector<Log> logs(sockets.size(), Log(static_cast<size_t>(exchange.warmUp + exchange.messages)));
  // The pipes of the others are read when the first has ended.
  Alive alive(isFirst ? report : -1);
  if (exchange.lossy) sendLossy(exchange, sockets, codec, value, logs, alive);
  else sendInTurn(exchange, sockets, codec, value, logs, alive);
  Bytes bytes;
  const std::string size = std::to_string(codec.encode(value, bytes));
  const auto counted = [&](const std::vector<int64_t>& all) {
    return wirebench::Answer::list(std::vector<int64_t>(all.begin() + exchange.warmUp, all.end()));
  };
  std::string text;
  for (size_t k = 0; k < sockets.size(); ++k) {
    const Log& log = logs[k];
    text += "{\"messages\":{\"listener\":" + std::to_string(k) + ",\"encodedBytes\":" + size + ",\"first\":[" +
            std::to_string(log.encoded[0] - log.begun[0]) + "," + std::to_string(log.decoded[0] - log.received[0]) + "],\"begun\":" + counted(log.begun) +
            ",\"encoded\":" + counted(log.encoded) + ",\"received\":" + counted(log.received) + ",\"decoded\":" + counted(log.decoded) + "}}\n";
  }
  writeAll(report, text);
}

template <class Codec, class Value>
void listen(const Exchange& exchange, const std::vector<int>& sockets) {
  Codec codec;
  Value expected, value;
  make(exchange.bytes, expected);
  std::vector<Bytes> bytes(sockets.size());
  std::vector<pollfd> polled;
  for (const int socket : sockets) polled.push_back({socket, POLLIN, 0});
  // A talker closes its socket when all is said; poll leaves out what is below 0.
  for (size_t open = sockets.size(); open > 0;) {
    if (poll(polled.data(), polled.size(), -1) < 0) throw std::runtime_error("poll");
    for (size_t k = 0; k < sockets.size(); ++k) {
      if (polled[k].fd < 0 || polled[k].revents == 0) continue;
      char peek;
      if (recv(sockets[k], &peek, 1, MSG_PEEK) == 0) {
        polled[k].fd = -1;
        --open;
        continue;
      }
      Head head;
      receiveAll(sockets[k], &head, sizeof head);
      bytes[k].resize((head.size + 7) / 8);
      receiveAll(sockets[k], bytes[k].data(), head.size);
      Ack ack{wirebench::nanos(CLOCK_MONOTONIC), 0, head.sequence, 0};
      codec.decode(bytes[k], head.size, value);
      ack.decoded = wirebench::nanos(CLOCK_MONOTONIC);
      expected.sequence = static_cast<uint32_t>(1000 + head.sequence);
      ack.same = value == expected;
      sendAll(sockets[k], &ack, sizeof ack);
    }
  }
}

/** Runs a participant in a process of its own, which ends with this one. */
template <class Run>
pid_t start(Run run) {
  const pid_t child = fork();
  if (child < 0) throw std::runtime_error("fork");
  if (child > 0) return child;
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  try {
    run();
    _exit(0);
  } catch (const std::exception& error) {
    std::cerr << "error: " << error.what() << std::endl;
    _exit(1);
  }
}

template <class Codec, class Value>
int exchangeMessages(const Exchange& exchange) {
  const size_t talkers = static_cast<size_t>(exchange.talkers), listeners = static_cast<size_t>(exchange.listeners);
  std::vector<std::vector<int>> ofTalker(talkers), ofListener(listeners);
  for (size_t t = 0; t < talkers; ++t)
    for (size_t l = 0; l < listeners; ++l) {
      int pair[2];
      if (socketpair(AF_UNIX, SOCK_STREAM, 0, pair) != 0) throw std::runtime_error("socketpair");
      ofTalker[t].push_back(pair[0]);
      ofListener[l].push_back(pair[1]);
    }
  // A participant keeps its own sockets only, so that it notices when a peer is gone.
  const auto keepOnly = [&](const std::vector<int>& own) {
    for (const auto& side : {ofTalker, ofListener})
      for (const auto& sockets : side)
        for (const int socket : sockets)
          if (std::find(own.begin(), own.end(), socket) == own.end()) close(socket);
  };
  std::vector<pid_t> children;
  for (size_t l = 0; l < listeners; ++l)
    children.push_back(start([&] {
      keepOnly(ofListener[l]);
      listen<Codec, Value>(exchange, ofListener[l]);
    }));
  std::vector<int> reports;
  for (size_t t = 0; t < talkers; ++t) {
    int report[2];
    if (pipe(report) != 0) throw std::runtime_error("pipe");
    children.push_back(start([&] {
      close(report[0]);
      keepOnly(ofTalker[t]);
      talk<Codec, Value>(exchange, ofTalker[t], report[1], t == 0);
    }));
    close(report[1]);
    reports.push_back(report[0]);
  }
  keepOnly({});
  for (const int report : reports) {
    char chunk[65536];
    for (ssize_t got; (got = read(report, chunk, sizeof chunk)) > 0;) std::cout.write(chunk, got).flush();
  }
  int failed = 0;
  for (const pid_t child : children) {
    int status;
    waitpid(child, &status, 0);
    failed |= status;
  }
  return failed == 0 ? 0 : 1;
}

}  // namespace

int main() {
  try {
    std::string line;
    std::getline(std::cin, line);
    const wirebench::Json job = wirebench::JsonParser(line).value();
    const int pb = GOOGLE_PROTOBUF_VERSION, cp = CAPNP_VERSION;
    const auto text = [](int version) {
      return std::to_string(version / 1000000) + "." + std::to_string(version / 1000 % 1000) + "." + std::to_string(version % 1000);
    };
    wirebench::Answer::line("{\"hello\":{\"protocol\":" + std::to_string(wirebench::PROTOCOL) + ",\"language\":\"C++\",\"compiler\":\"" + wirebench::COMPILER +
                            "\",\"libraries\":{\"protobuf\":\"" + text(pb) + "\",\"capnp\":\"" + text(cp) + "\"}}}");
    const wirebench::Json& asked = job["exchange"];
    if (asked["codec"].text.empty()) return 0;
    const auto number = [&](const char* key, int otherwise) { return asked[key].text.empty() ? otherwise : static_cast<int>(asked[key].integer()); };
    const Exchange exchange{asked["codec"].text, asked["message"].text, asked["bytes"].integer(), number("messages", 100),
                            number("talkers", 1), number("listeners", 1), number("window", 1), number("warmup", std::min(10, number("messages", 100))),
                            asked["rateHz"].text.empty() ? 0 : asked["rateHz"].number(), number("lossy", 0) != 0};
    const bool isFrame = exchange.message == "frame";
    if (exchange.codec == "protobuf")
      return isFrame ? exchangeMessages<Protobuf::Of<frame::Frame, Picture>, Picture>(exchange)
                     : exchangeMessages<Protobuf::Of<cloud::Cloud, Scan>, Scan>(exchange);
    if (exchange.codec == "capnp")
      return isFrame ? exchangeMessages<Capnp::Of<Picture>, Picture>(exchange) : exchangeMessages<Capnp::Of<Scan>, Scan>(exchange);
    throw std::runtime_error("there is no codec " + exchange.codec);
  } catch (const std::exception& error) {
    std::cerr << "error: " << error.what() << std::endl;
    return 1;
  }
}
