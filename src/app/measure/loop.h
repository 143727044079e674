// SPDX-License-Identifier: MIT
// The event loop of all measurements. It waits for the sources and lets each process its new data, until all
// have ended or the user stops the measurement.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "base/result.h"
#include "pmu/source.h"

namespace hm::measure {

// Callbacks for the caller of run().
struct Observer {
  // Called at intervals of `every_ns`; null: never.
  std::function<void(const pmu::Progress&)> progress = {};
  uint64_t every_ns = 200'000'000;
  // Returns how many times the user has requested a stop (a signal handler counts them). The first request
  // ends the measurement and terminates the command (SIGTERM, if it has not ended on its own). The second
  // request does not wait for the command.
  std::function<int()> interrupts = {};
  // Returns true when the measurement is complete, for example after a time limit; null: never.
  std::function<bool()> enough = {};
  // Returns true when no more samples can be taken. Sources then stop, and a command continues to its end.
  // null: never.
  std::function<bool()> full = {};
};

struct Run {
  std::optional<pmu::Refusal> refusal;  // if set, the other members are empty
  pmu::Outcome outcome;
  pmu::CommandEnd command;  // zeros if there was no command
  pmu::Progress progress;   // final progress
};

// Runs the sources. Ends by itself after `max_ns`, as if the user had stopped it; 0: no limit. Starts the
// first source last, so that the others observe its command from the beginning. Passes records to `sink`,
// with a FINISHED_ROUND after each round with records. Fails with the error of a source that cannot measure,
// or with the sink's error; targets then continue unmeasured.
[[nodiscard]] Result<Run> run(const std::vector<std::unique_ptr<pmu::Source>>& sources, const pmu::Sink& sink,
                              const Observer& observer, uint64_t max_ns = 0);

}  // namespace hm::measure
