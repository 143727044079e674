// SPDX-License-Identifier: MIT
// Total event counts: exact if the recording contains counter values, else estimated from samples.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "profile/profile.h"

namespace hm::totals {

// A counter's value. A multiplexed hardware counter runs for only part of its enabled time.
struct Exact {
  uint64_t value = 0;
  uint64_t time_enabled_ns = 0;  // both 0 if not recorded
  uint64_t time_running_ns = 0;
  bool in_bursts = false;  // estimated from bursts
  // Half-width of the estimate's 95 % interval, as a fraction of the value, if known.
  std::optional<double> relative_error{};
  // Returns true if the event occurred in no burst, so that its frequency is unknown.
  [[nodiscard]] bool unseen() const { return in_bursts && value == 0; }
  // Returns the value extrapolated to the whole enabled time; nullopt if the counter never ran or unseen() is
  // true.
  [[nodiscard]] std::optional<double> scaled() const;
  // Returns true if the counter ran for only part of the time.
  [[nodiscard]] bool shared() const;
};

struct Count {
  uint64_t samples = 0;
  std::optional<uint64_t> estimated;  // sum of the samples' periods; nullopt if a sample has none
  std::optional<Exact> exact;
  // Upper bound per counter, exclusive. Set if an event with a period has neither a sample nor an exact
  // count.
  std::optional<uint64_t> fewer_than{};
  // Returns the best available count: exact and scaled, else estimated.
  [[nodiscard]] std::optional<double> best() const;
};

struct CountRange {
  uint64_t lowest = 0, highest = 0;
};

struct EventTotal {
  std::string name;
  Count count;
  std::optional<double> per_thousand_instructions;  // nullopt if instructions were not counted, and for the
                                                    // instructions themselves
  std::optional<double> per_second;                 // per second of Totals::elapsed_ns
  std::optional<CountRange> range{};                // over several layouts (totals/layouts.h)
};

struct ThreadTotal {
  uint32_t pid = 0;
  uint32_t tid = 0;
  std::string comm;           // the thread's last name
  std::vector<Count> counts;  // one per entry of Totals::events
};

struct Totals {
  std::vector<EventTotal> events;  // all events of the recording
  std::vector<ThreadTotal> threads;
  std::optional<uint64_t>
      elapsed_ns;  // between the first and the last sample; nullopt if samples have no time
  profile::Lost lost;
};

// Returns the event that counts retired instructions; nullptr if it was not measured.
[[nodiscard]] const EventTotal* instructions_of(const Totals& totals);

// Fills in the events' rates from their counts and the elapsed time.
void add_rates(Totals& totals, std::optional<double> instructions = std::nullopt);

[[nodiscard]] Totals find_totals(const profile::Profile& profile);

}  // namespace hm::totals
