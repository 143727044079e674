// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <functional>
#include <string>
#include <vector>

#include "base/mutex.h"

struct Dwfl;
struct debuginfod_client;

namespace hm::symbol {

// Limits libdwfl's requests to debuginfod servers (debuginfod(8)). The servers are those in DEBUGINFOD_URLS;
// none if it is unset. Thread-safe; requests are serialized.
class Debuginfod {
 public:
  // `patience` is the timeout for servers that send nothing. After one timeout no further file is requested.
  explicit Debuginfod(std::chrono::milliseconds patience);
  ~Debuginfod();
  Debuginfod(const Debuginfod&) = delete;
  Debuginfod& operator=(const Debuginfod&) = delete;

  // Returns 5 seconds, or the value of DEBUGINFOD_TIMEOUT.
  [[nodiscard]] static std::chrono::milliseconds usual_patience();

  [[nodiscard]] bool has_servers() const { return !urls_.empty(); }
  // Call for a session before its first request.
  void watch(Dwfl* session);
  // Looks for a debug file. `look` searches local folders, and then sends a request if its argument is true.
  // It returns a file descriptor, -1 if it sent no request, or a negative errno of the request.
  [[nodiscard]] int find(const std::function<int(bool may_ask)>& look);
  // Fetches the debug file of a build, whichever file it belongs to. Returns its path in the client's cache;
  // empty if no server has it. `build_id` is in lower-case hex.
  [[nodiscard]] std::string fetch(const std::string& build_id);
  // Fetches the program or library of a build, like fetch().
  [[nodiscard]] std::string fetch_program(const std::string& build_id);
  // Fetches a source file of a build, by its path in the debug information. Returns its path in the client's
  // cache; empty if no server has it.
  [[nodiscard]] std::string fetch_source(const std::string& build_id, const std::string& path);
  // Returns at most one sentence: which servers could not be reached.
  [[nodiscard]] std::vector<std::string> problems() const;

 private:
  using Clock = std::chrono::steady_clock;
  // `request` stores the path of the fetched file, which the caller frees, and returns its file descriptor.
  [[nodiscard]] std::string fetched(const std::string& build_id,
                                    const std::function<int(char** path)>& request);
  [[nodiscard]] bool make_own_client() HM_REQUIRES(mutex_);
  bool take_client(debuginfod_client* client) HM_REQUIRES(mutex_);
  static int on_progress(debuginfod_client* client, long done, long total);
  [[nodiscard]] bool goes_on(long done, long total) HM_REQUIRES(mutex_);
  void take_answer(int answer, Clock::duration took) HM_REQUIRES(mutex_);
  void say(std::string problem) HM_REQUIRES(mutex_);

  const std::string urls_;
  const std::chrono::milliseconds patience_;
  mutable Mutex mutex_;
  bool gave_up_ HM_GUARDED_BY(mutex_) = false;
  debuginfod_client* own_client_ HM_GUARDED_BY(mutex_) =
      nullptr;  // used by fetched(), created at its first use
  // State of the current request:
  Clock::time_point last_news_ HM_GUARDED_BY(mutex_){};
  long done_ HM_GUARDED_BY(mutex_) = 0;  // bytes received so far
  bool cancelled_ HM_GUARDED_BY(mutex_) = false;
  std::vector<std::string> problems_ HM_GUARDED_BY(mutex_);
};

}  // namespace hm::symbol
