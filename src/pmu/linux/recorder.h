// SPDX-License-Identifier: MIT
// Takes what the kernel writes until the target is over, and hands it on.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "base/bytes.h"
#include "base/result.h"
#include "pmu/linux/command.h"
#include "pmu/linux/session.h"

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

struct RunProgress {
  uint64_t elapsed_ns = 0;
  Tally tally;
};

struct RunHooks {
  // Whole records, as many as lie side by side. An error ends the run.
  std::function<Status(Bytes)> take;
  // Every record that is no sample, before it is taken; null: nobody looks.
  std::function<void(Bytes)> look;
  // Called a few times a second; null: never.
  std::function<void(const RunProgress&)> progress;
  // How many times the user has asked to stop. The first ends the run and asks the command to end (SIGTERM);
  // the second does not wait for it.
  std::function<int()> interrupts;
  // When there are so many samples, no more are taken; a few may come. 0: no limit.
  uint64_t most_samples = 0;
};

struct RunResult {
  // The command's, as a shell gives it; 126 where it could not be executed, 130 where it was not waited for.
  int exit_status = 0;
  std::string not_started;  // why it could not be executed; there is nothing else then
  bool interrupted = false;
  uint64_t elapsed_ns = 0;
  uint64_t cpu_ns = 0;  // of the command and the children that it waited for
  Tally tally;
  std::vector<std::map<pid_t, Counted>> counted;  // by event: Session::read()
};

// Until the command ends; without one, until the target's processes and threads have all ended, or the user
// stops. The command is started, and the session enabled where no exec does that. An error is one of `take`.
Result<RunResult> run(Session& session, Command* command, const Target& target, const RunHooks& hooks);

}  // namespace hm::linux_pmu
