// SPDX-License-Identifier: MIT
#pragma once

#include <sys/stat.h>
#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/mutex.h"
#include "base/result.h"
#include "base/unique_fd.h"

namespace hm::web {

// A recording to make, as requested by the page.
struct RecordWish {
  std::vector<std::string> options;  // of `hardmeter record`, before "--"
  std::vector<std::string> command;  // empty: the options name the target
  std::string path;                  // of the recording; empty: a new name in the recorder's folder
};

// Parses JSON: {"command": [WORD...], "pids": [N...], "events": [NAME...], "period": TEXT, "pmu":
// "auto"|"linux"|"soft", "detail": "exact"|"bursts"|"auto", "user": bool, "kernel": bool, "callers": bool,
// "sizes": bool, "llc": bool}. All members except the target may be absent. Fails with kInvalidArgument for
// anything else.
[[nodiscard]] Result<RecordWish> parse_record_wish(const std::string& json);

struct RecorderState {
  bool running = false;
  std::vector<std::string> command;  // the full command line
  std::string path;                  // of the recording; empty if there is none yet
  uint64_t bytes = 0;                // size of the recording
  double seconds = 0;                // since its start, or its total duration
  std::optional<int> exit_status;    // set after it has ended
  bool written = false;              // it has ended, and a new recording is at `path`
  std::string said;                  // last kMaxSaidBytes of its output and of the program's output
};
inline constexpr size_t kMaxSaidBytes = 4000;

// Makes recordings for the page or for an assistant, one at a time. Runs `hardmeter record` as a child
// process, so that the measured program cannot harm the server. Destruction ends a running recording.
class Recorder {
 public:
  // `program` is the path of this tool. Recordings are written to `folder`.
  Recorder(std::string program, std::string folder)
      : program_(std::move(program)), folder_(std::move(folder)) {}
  Recorder(const Recorder&) = delete;
  Recorder& operator=(const Recorder&) = delete;
  ~Recorder() { end(); }

  // Fails with kUnsupported while another recording runs, or with kIo.
  [[nodiscard]] Status start(const RecordWish& wish);
  // Like Ctrl-C at a terminal: the recorder and the program get SIGINT. Keeps the data measured so far.
  void stop();
  [[nodiscard]] RecorderState state();
  // Stops, waits for the end, and prevents further recordings.
  void end();
  // Returns a recording that has ended since the last call, if it is readable.
  [[nodiscard]] std::optional<std::string> take_finished();

 private:
  void look() HM_REQUIRES(mutex_);  // checks whether it has ended

  std::string program_, folder_;
  Mutex mutex_;
  pid_t child_ HM_GUARDED_BY(mutex_) = 0;
  bool closed_ HM_GUARDED_BY(mutex_) = false;
  RecorderState state_ HM_GUARDED_BY(mutex_);
  struct stat before_ {};               // of the file that had the recording's path
  UniqueFd log_ HM_GUARDED_BY(mutex_);  // an unnamed file with the output
  std::chrono::steady_clock::time_point begin_ HM_GUARDED_BY(mutex_);
  std::optional<std::string> finished_ HM_GUARDED_BY(mutex_);
};

}  // namespace hm::web
