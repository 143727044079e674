// SPDX-License-Identifier: MIT
// Takes what the kernel writes until the target is over, and hands it on. The loop is somebody else's:
// pmu/source.h tells how the calls follow each other.
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

// What went by.
struct Tally {
  uint64_t samples = 0;
  uint64_t first_sample_ns = 0;  // by perf's clock; 0: none yet
  uint64_t last_sample_ns = 0;
  uint64_t bytes = 0;
  uint64_t lost_records = 0;  // PERF_RECORD_LOST: the ring was full
  uint64_t lost_samples = 0;  // PERF_RECORD_LOST_SAMPLES: the hardware's buffer was full
  uint64_t throttles = 0;     // times that the kernel stopped an event because it came too often
  uint64_t damaged_rings = 0;
};

struct RecorderHooks {
  // Whole records, as many as lie side by side. An error ends the run.
  pmu::Sink take;
  // Every record that is no sample, before it is taken; null: nobody looks.
  std::function<void(Bytes)> look;
  // When there are so many samples, no more are taken; a few may come. 0: no limit.
  uint64_t most_samples = 0;
};

class Recorder {
 public:
  // All outlive it. No `command`: null. It is over when the command ends, or the target's processes and
  // threads have all ended, or without a command when the user wants an end.
  Recorder(Session& session, Command* command, const Target& target, RecorderHooks hooks);

  // The command is started, and the session enabled where no exec does that. A refusal: why the command could
  // not be executed.
  [[nodiscard]] std::optional<pmu::Refusal> start();
  void add_to(pmu::Wait& wait) const;
  // An error is one of `take`.
  [[nodiscard]] Status round(std::span<const pollfd> seen);
  [[nodiscard]] bool over();
  void end(pmu::End how);
  void stop() { session_.disable(); }
  // Reads the counters, when all is over.
  void finish();

  [[nodiscard]] const Tally& tally() const { return tally_; }
  // The command's: 130 where it was not waited for.
  [[nodiscard]] std::optional<pmu::CommandEnd> command_end() const;
  // By event: Session::read().
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
  std::vector<pollfd> polled_;  // the rings', then the command's
  bool terminated_ = false;
  bool stop_now_ = false;
  bool limited_ = false;
  bool blind_ = false;
  int exit_status_ = 0;
  Tally tally_;
  std::vector<std::map<pid_t, Counted>> counted_;
};

}  // namespace hm::linux_pmu
