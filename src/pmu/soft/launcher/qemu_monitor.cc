// SPDX-License-Identifier: MIT
#include "pmu/soft/launcher/qemu_monitor.h"

#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>

#include "base/json.h"

namespace hm::soft {
namespace {

constexpr size_t kLongestMessage = size_t{1} << 20;
constexpr useconds_t kBetweenUs = 10'000;  // between two questions for the same

bool send_text(int socket, std::string_view text) {
  while (!text.empty()) {
    ssize_t sent = ::send(socket, text.data(), text.size(), MSG_NOSIGNAL);
    if (sent < 0 && errno != EINTR) return false;
    if (sent > 0) text.remove_prefix(static_cast<size_t>(sent));
  }
  return true;
}

}  // namespace

std::optional<nlohmann::json> QemuMonitor::next_message() {
  while (true) {
    if (size_t end = received_.find('\n'); end != std::string::npos) {
      nlohmann::json message = parse_json(received_.substr(0, end));
      received_.erase(0, end + 1);
      if (!message.is_object()) return std::nullopt;
      return message;
    }
    std::array<char, 4096> part{};
    ssize_t got = ::read(socket_, part.data(), part.size());
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0 || received_.size() > kLongestMessage) return std::nullopt;
    received_.append(part.data(), static_cast<size_t>(got));
  }
}

std::optional<nlohmann::json> QemuMonitor::execute(const char* command, const nlohmann::json& arguments) {
  if (!is_ready_) is_ready_ = send({{"execute", "qmp_capabilities"}}).has_value();
  if (!is_ready_) return std::nullopt;
  nlohmann::json message{{"execute", command}};
  if (!arguments.is_null()) message["arguments"] = arguments;
  return send(message);
}

std::optional<nlohmann::json> QemuMonitor::send(const nlohmann::json& command) {
  if (!send_text(socket_, json_line(command) + "\n")) return std::nullopt;
  while (std::optional<nlohmann::json> message = next_message()) {
    if (message->contains("return")) return message->at("return");
    if (message->contains("error")) return std::nullopt;
  }  // the others are QEMU's greeting and events
  return std::nullopt;
}

bool QemuMonitor::wait_until_saved() {
  while (auto answer = execute("query-migrate")) {
    std::string status = answer->value("status", "");
    if (status == "completed") return true;
    if (status == "failed" || status == "cancelled") return false;
    ::usleep(kBetweenUs);
  }
  return false;
}

// A guest that runs on would change memory that is saved already, and wait for its turn.
bool QemuMonitor::save(const std::string& path) {
  constexpr uint64_t kUnlimited = uint64_t{1} << 40;  // bytes per second; QEMU's default is 2^27
  bool is_saved = execute("stop") && execute("migrate-set-parameters", {{"max-bandwidth", kUnlimited}}) &&
                  execute("migrate", {{"uri", "file:" + path}}) && wait_until_saved();
  return run() && is_saved;
}

// `cont` has no effect while -incoming is being read.
bool QemuMonitor::run() {
  while (auto answer = execute("query-status")) {
    if (answer->value("status", "") != "inmigrate") return execute("cont").has_value();
    ::usleep(kBetweenUs);
  }
  return false;
}

}  // namespace hm::soft
