// SPDX-License-Identifier: MIT
// The one loop of all measurements: it waits for what its sources wait for, and asks each to take what has
// come, until all are over or the user wants an end.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "base/result.h"
#include "pmu/source.h"

namespace hm::measure {

// Who looks on.
struct Observer {
  // Called every so often; null: never.
  std::function<void(const pmu::Progress&)> progress = {};
  uint64_t every_ns = 200'000'000;
  // How many times the user has asked to stop (a signal handler counts them). The first ends the measurement
  // and asks the command to end (SIGTERM, if it has not ended by itself); the second does not wait for it.
  std::function<int()> interrupts = {};
  // True once there is nothing more to wait for, as where the time is over; null: never.
  std::function<bool()> enough = {};
  // True once no more samples are taken: sources stop, and a command goes on to its end; null: never.
  std::function<bool()> full = {};
};

struct Run {
  std::optional<pmu::Refusal> refusal;  // there is nothing else then
  pmu::Outcome outcome;
  pmu::CommandEnd command;  // zeros where none was run
  pmu::Progress progress;   // at the end
};

// `most_ns`: after so long it ends by itself, as where the user asks for it; 0: no limit.
// The first source is started last: the others see all of its command. Records go to `sink`, with a
// FINISHED_ROUND after each round that had any. An error is a source's reason why it cannot measure, or the
// sink's: targets then go on unmeasured.
[[nodiscard]] Result<Run> run(const std::vector<std::unique_ptr<pmu::Source>>& sources, const pmu::Sink& sink,
                              const Observer& observer, uint64_t most_ns = 0);

}  // namespace hm::measure
