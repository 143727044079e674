// SPDX-License-Identifier: MIT
// The samples of a recording that are exported, and what each of them counts for.
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

// All of it must live as long as what is made of it. The profile has call chains, where they were recorded.
struct Selection {
  const profile::Profile& profile;
  std::span<const size_t> samples;  // in order of time
  const symbol::Resolver& resolver;
};

// Those that the samples are of, by index; all of the recording's where there is no sample.
[[nodiscard]] std::vector<uint32_t> events_of(const Selection& selection);

// kInvalidArgument where the samples are of several events: the formats that hold one have to be told which.
[[nodiscard]] Status check_one_event(const Selection& selection);

// What a sample counts for, so that sums are the estimates that reports show: the sample's period; 1 for
// every sample of an event of which a sample has none.
class Weights {
 public:
  explicit Weights(const Selection& selection);

  [[nodiscard]] uint64_t of(size_t sample) const;
  // The event is a clock, so what its samples count for is time.
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

// In order of event, then of thread.
[[nodiscard]] std::vector<Series> series_of(const Selection& selection);

// Of a thread: "gather (1234)".
[[nodiscard]] std::string thread_text(const profile::Thread& thread);

// The program that was recorded, by its file's name; empty where that is not known.
[[nodiscard]] std::string program_of(const profile::Profile& profile);

// A moment before all samples, and before all readings of the last-level cache: the time 0 of what is
// written.
[[nodiscard]] uint64_t origin_ns(const Selection& selection);

// Since then; 0 where the sample has no time.
[[nodiscard]] uint64_t time_ns(const Selection& selection, size_t sample, uint64_t origin_ns);

}  // namespace hm::exports
