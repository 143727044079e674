// SPDX-License-Identifier: MIT
// The samples of a recording that are exported, and the weight of each sample.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "profile/profile.h"
#include "symbol/resolver.h"

namespace hm::exports {

// Everything referenced must outlive the objects that are built from a Selection. The profile has call chains
// if they were recorded.
struct Selection {
  const profile::Profile& profile;
  std::span<const size_t> samples;  // in order of time
  const symbol::Resolver& resolver;
};

// Returns the indexes of the events that the samples have, or of all the recording's events if there are no
// samples.
[[nodiscard]] std::vector<uint32_t> events_of(const Selection& selection);

// Fails with kInvalidArgument if the samples are of several events, because some formats hold only one.
[[nodiscard]] Status check_one_event(const Selection& selection);

// Weights of the samples, chosen so that their sums are the estimates that reports show. A weight is the
// sample's period, or 1 if any sample of its event lacks a period.
class Weights {
 public:
  explicit Weights(const Selection& selection);

  [[nodiscard]] uint64_t of(size_t sample) const;
  // Returns true if the event is a clock, so that weights are nanoseconds.
  [[nodiscard]] bool are_nanoseconds(uint32_t event) const;

 private:
  const profile::Profile& profile_;
  std::vector<bool> has_periods_;  // by event
};

// The samples of one event and one thread.
struct Series {
  uint32_t event = 0;
  uint32_t thread = 0;
  std::vector<size_t> samples;
};

// Returns the series in order of event, then of thread.
[[nodiscard]] std::vector<Series> series_of(const Selection& selection);

// Returns the thread's name and ID, for example "gather (1234)".
[[nodiscard]] std::string thread_text(const profile::Thread& thread);

// Returns the file name of the recorded program; empty if it is not known.
[[nodiscard]] std::string program_of(const profile::Profile& profile);

}  // namespace hm::exports
