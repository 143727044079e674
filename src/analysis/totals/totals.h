// SPDX-License-Identifier: MIT
// How many events there were: exactly where the recording says so, else as the samples tell.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "profile/profile.h"

namespace hm::totals {

// A counter's value. A hardware counter that shared its place ran only part of the time it was enabled.
struct Exact {
  uint64_t value = 0;
  uint64_t time_enabled_ns = 0;  // both 0 where not recorded
  uint64_t time_running_ns = 0;
  bool in_bursts = false;  // an estimate from bursts
  // Half of such an estimate's 95 % interval, as a part of the value, where it is known.
  std::optional<double> relative_error{};
  // No burst had the event: how often it happened is not known.
  [[nodiscard]] bool unseen() const { return in_bursts && value == 0; }
  // What the value would be, had the counter run all the time; nullopt where it never ran, or saw nothing.
  [[nodiscard]] std::optional<double> scaled() const;
  // It ran only part of the time.
  [[nodiscard]] bool shared() const;
};

struct Count {
  uint64_t samples = 0;
  std::optional<uint64_t> estimated;  // the sum of the samples' periods; nullopt where a sample has none
  std::optional<Exact> exact;
  // Where there is neither a sample nor an exact count of an event that has a period: each counter counted
  // fewer than this.
  std::optional<uint64_t> fewer_than{};
  // The best there is: exact and scaled, else estimated.
  [[nodiscard]] std::optional<double> best() const;
};

struct EventTotal {
  std::string name;
  Count count;
  std::optional<double>
      per_thousand_instructions;     // nullopt where instructions were not counted, or this is them
  std::optional<double> per_second;  // of Totals::elapsed_ns
};

struct ThreadTotal {
  uint32_t pid = 0;
  uint32_t tid = 0;
  std::string comm;           // the last name that it had
  std::vector<Count> counts;  // one for each of Totals::events
};

struct Totals {
  std::vector<EventTotal> events;  // all of the recording
  std::vector<ThreadTotal> threads;
  std::optional<uint64_t>
      elapsed_ns;  // between the first and the last sample; nullopt where they carry no time
  profile::Lost lost;
};

// The instructions retired among the events; nullptr where they were not measured.
[[nodiscard]] const EventTotal* instructions_of(const Totals& totals);

// Fills in the events' rates from their counts and the time.
void add_rates(Totals& totals);

[[nodiscard]] Totals find_totals(const profile::Profile& profile);

}  // namespace hm::totals
