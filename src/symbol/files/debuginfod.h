// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <functional>
#include <mutex>
#include <string>
#include <vector>

struct Dwfl;
struct debuginfod_client;

namespace hm::symbol {

// Bounds what libdwfl asks of debuginfod servers (debuginfod(8)), which are those of DEBUGINFOD_URLS: none
// where it is unset. Safe to use from several threads, which ask one after the other.
class Debuginfod {
 public:
  // Servers that send nothing for `patience` cost that much, once: no other file is asked for then.
  explicit Debuginfod(std::chrono::milliseconds patience);
  ~Debuginfod();
  Debuginfod(const Debuginfod&) = delete;
  Debuginfod& operator=(const Debuginfod&) = delete;

  // 5 seconds, or what DEBUGINFOD_TIMEOUT says.
  [[nodiscard]] static std::chrono::milliseconds usual_patience();

  [[nodiscard]] bool has_servers() const { return !urls_.empty(); }
  // Of a session that is about to ask.
  void watch(Dwfl* session);
  // Looks for a debug file: `look` looks in local folders, and then asks where its argument says that it may.
  // It returns a file descriptor, -1 for "not asked", or a negative errno of the asking.
  [[nodiscard]] int find(const std::function<int(bool may_ask)>& look);
  // The debug file of a build, whatever file it belongs to: its path in the client's cache; empty where no
  // server has it. `build_id` in lower-case hex.
  [[nodiscard]] std::string fetch(const std::string& build_id);
  // What was not reached: a sentence, or none.
  [[nodiscard]] std::vector<std::string> problems() const;

 private:
  using Clock = std::chrono::steady_clock;
  [[nodiscard]] bool make_own_client();
  bool take_client(debuginfod_client* client);
  static int on_progress(debuginfod_client* client, long done, long total);
  [[nodiscard]] bool goes_on(long done, long total);
  void take_answer(int answer, Clock::duration took);
  void say(std::string problem);

  const std::string urls_;
  const std::chrono::milliseconds patience_;
  mutable std::mutex mutex_;
  bool gave_up_ = false;
  debuginfod_client* own_client_ = nullptr;  // of fetch(), made at its first use
  // Of the present question:
  Clock::time_point last_news_{};
  long done_ = 0;  // bytes of its answer
  bool cancelled_ = false;
  std::vector<std::string> problems_;
};

}  // namespace hm::symbol
