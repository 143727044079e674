// SPDX-License-Identifier: MIT
// Reads the kernel's records until the target is over, and passes them on. The caller runs the loop:
// pmu/source.h defines the order of the calls.
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
#include "pmu/linux/session.h"
#include "pmu/source.h"

namespace hm::linux_pmu {

// Totals of the records read.
struct Tally {
  uint64_t samples = 0;
  uint64_t first_sample_ns = 0;  // by perf's clock; 0: none yet
  uint64_t last_sample_ns = 0;
  uint64_t bytes = 0;
  uint64_t lost_records = 0;  // PERF_RECORD_LOST: the ring was full
  uint64_t lost_samples = 0;  // PERF_RECORD_LOST_SAMPLES: the hardware's buffer was full
  uint64_t throttles = 0;     // times that the kernel stopped an event because its rate was too high
  uint64_t damaged_rings = 0;
};

struct RecorderHooks {
  // Takes one or more whole consecutive records. An error ends the run.
  pmu::Sink take;
  // Called for every record that is not a sample, before `take`; may be null.
  std::function<void(Bytes)> look;
  // Sampling stops after this number of samples; a few more may arrive. 0: no limit.
  uint64_t most_samples = 0;
};

class Recorder {
 public:
  // All arguments outlive the recorder. `command` may be null. The recording is over when the command has
  // ended or all processes and threads of the target have ended. Without a command it is also over when the
  // user ends it.
  Recorder(Session& session, Command* command, const Target& target, RecorderHooks hooks);

  // Starts the command, and enables the session unless an exec does that. Returns a refusal if the command
  // could not be executed.
  [[nodiscard]] std::optional<pmu::Refusal> start();
  void add_to(pmu::Wait& wait) const;
  // Returns only errors of `take`.
  [[nodiscard]] Status round(std::span<const pollfd> seen);
  [[nodiscard]] bool over();
  void end(pmu::End how);
  void stop() { session_.disable(); }
  // Reads the counters after the recording is over.
  void finish();

  [[nodiscard]] const Tally& tally() const { return tally_; }
  // The command's end, with status 130 if the recording did not wait for it.
  [[nodiscard]] std::optional<pmu::CommandEnd> command_end() const;
  // One map per event, from Session::read().
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
