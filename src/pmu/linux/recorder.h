// SPDX-License-Identifier: MIT
// Reads the kernel's records until the target ends, and passes them on. The caller owns the loop;
// pmu/source.h describes the order of calls.
#pragma once

#include <poll.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "base/bytes.h"
#include "base/result.h"
#include "pmu/linux/command.h"
#include "pmu/linux/kept_samples.h"
#include "pmu/linux/perf_session.h"
#include "pmu/source.h"

namespace hm::linux_pmu {

// Statistics of the records.
struct Tally {
  uint64_t samples = 0;
  uint64_t first_sample_ns = 0;  // in perf's clock; 0: none yet
  uint64_t last_sample_ns = 0;
  uint64_t bytes = 0;
  uint64_t lost_records = 0;  // PERF_RECORD_LOST: the ring was full
  uint64_t lost_samples = 0;  // PERF_RECORD_LOST_SAMPLES: the hardware's buffer was full
  uint64_t throttles = 0;     // how often the kernel stopped an event because it occurred too often
  uint64_t damaged_rings = 0;
};

struct RecorderHooks {
  // Receives whole records, as many as are contiguous. An error ends the run.
  pmu::Sink take;
  // Receives every record that is no sample, before `take`. May be null.
  std::function<void(Bytes)> look;
  // Sampling stops after this many samples; a few more may still arrive. 0: no limit.
  uint64_t max_samples = 0;
};

class Recorder {
 public:
  // All arguments must outlive this object. `command` may be null. The recording is over when the command
  // ends, or when all processes and threads of the target have ended. Without a command, end() also ends it.
  Recorder(Session& session, Command* command, const Target& target, RecorderHooks hooks);

  // Starts the command, and enables the session unless the exec does. Returns a refusal if the command could
  // not be executed.
  [[nodiscard]] std::optional<pmu::Refusal> start();
  void add_to(pmu::Wait& wait) const;
  // Returns only errors of `take`.
  [[nodiscard]] Status round(std::span<const pollfd> seen);
  [[nodiscard]] bool over();
  void end(pmu::End how);
  void stop() { session_.disable(); }
  // Reads the counters. To be called at the end.
  void finish();

  [[nodiscard]] const Tally& tally() const { return tally_; }
  // Exit status and CPU time of the command; status 130 if it was interrupted before it ended.
  [[nodiscard]] std::optional<pmu::CommandEnd> command_end() const;
  // Values of Session::read(), one map for each event.
  [[nodiscard]] const std::vector<std::map<pid_t, Counted>>& counted() const { return counted_; }

 private:
  [[nodiscard]] bool target_lives() const;
  bool look(Bytes record);
  void look_at_sample(Bytes record);

  Session& session_;
  Command* command_;
  const Target& target_;
  RecorderHooks hooks_;
  KeptSamples kept_;
  std::vector<pollfd> polled_;  // the rings' descriptors, then the command's
  bool terminated_ = false;
  bool stop_now_ = false;
  bool limited_ = false;
  bool blind_ = false;
  int exit_status_ = 0;
  Tally tally_;
  std::vector<std::map<pid_t, Counted>> counted_;
};

}  // namespace hm::linux_pmu
