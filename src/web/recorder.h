// SPDX-License-Identifier: MIT
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"

namespace hm::web {

// What is to be recorded, as the page asks.
struct RecordWish {
  std::vector<std::string> options;  // of `hardmeter record`, before "--"
  std::vector<std::string> command;  // empty: what the options name
};

// From JSON: {"command": [WORD...], "pids": [N...], "events": [NAME...], "period": TEXT, "pmu":
// "auto"|"linux"|"soft", "user": bool, "kernel": bool, "callers": bool, "sizes": bool, "llc": bool}; all but
// what to measure may be absent. kInvalidArgument for anything else.
[[nodiscard]] Result<RecordWish> parse_record_wish(const std::string& json);

struct RecorderState {
  bool running = false;
  std::vector<std::string> command;  // as it was run
  std::string path;                  // of the recording; empty: there was none yet
  uint64_t bytes = 0;                // of it
  double seconds = 0;                // since it began, or how long it took
  std::optional<int> exit_status;    // once it has ended
  std::string said;                  // what it said, and what the program printed: the last of it
};

// Records for the page, one recording at a time: by `hardmeter record` in a process of its own, so that what
// it measures cannot harm the server. A recording that runs is ended with the recorder.
class Recorder {
 public:
  // `program`: this tool. Recordings go to `folder`.
  Recorder(std::string program, std::string folder)
      : program_(std::move(program)), folder_(std::move(folder)) {}
  Recorder(const Recorder&) = delete;
  Recorder& operator=(const Recorder&) = delete;
  ~Recorder() { end(); }

  // kUnsupported while another runs; kIo.
  [[nodiscard]] Status start(const RecordWish& wish);
  // As Ctrl-C does: what was measured until then is kept.
  void stop();
  [[nodiscard]] RecorderState state();
  // Stops, waits for the end, and starts no more.
  void end();
  // The recording that has ended since this was asked last, if it can be read.
  [[nodiscard]] std::optional<std::string> take_finished();

 private:
  void look();  // whether it has ended

  std::string program_, folder_;
  std::mutex mutex_;
  pid_t child_ = 0;
  bool closed_ = false;
  RecorderState state_;
  std::string log_;
  std::chrono::steady_clock::time_point begin_;
  std::optional<std::string> finished_;
};

}  // namespace hm::web
