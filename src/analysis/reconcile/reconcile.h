// SPDX-License-Identifier: MIT
// Compares the time of functions by the clock, in a native run, with the waits for memory that the software
// PMU has modelled for them.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "analysis/hotspots/hotspots.h"
#include "analysis/totals/verdict.h"
#include "base/result.h"
#include "profile/event_counts.h"
#include "profile/profile.h"
#include "symbol/resolver.h"

namespace hm::reconcile {

struct FunctionTime {
  std::string function;
  std::optional<std::string> dso;
  std::string short_file;              // as hotspots::Row
  std::optional<profile::Share> time;  // of all samples of the clock; nullopt: none is in the function
  // Waits for data, of all modelled cycles of the program; nullopt: no wait was sampled in the function.
  std::optional<profile::Share> waits;
  // waits / time: the part of the function's time that waits for memory, if the model is right. nullopt if
  // one of the two is unknown, or has too few samples for an interval.
  std::optional<double> waiting;
  // The function's waits are longer than its time, beyond the errors of both: the model overestimates them.
  bool overestimated = false;
};

struct Reconciliation {
  std::vector<FunctionTime> functions;  // by the larger of their two shares, the largest first; without
                                        // those of less than half a per cent
  size_t all_functions = 0;             // number of functions before the limit
  uint64_t clock_samples = 0;
  std::string missing;  // the reason why there is no comparison; empty if there is one
};

// `time`: functions of the clock's recording; `waits`: those of memory_wait's, with the program's verdict.
[[nodiscard]] Reconciliation reconcile(const hotspots::Hotspots& time, const hotspots::Hotspots& waits,
                                       const totals::Verdict& verdict, size_t limit);

// Does the same for two recordings.
[[nodiscard]] Result<Reconciliation> reconcile(const profile::Profile& clock, const profile::Profile& model,
                                               const symbol::Resolver& resolver, size_t limit);

}  // namespace hm::reconcile
