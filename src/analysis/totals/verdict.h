// SPDX-License-Identifier: MIT
// Whether memory matters to a program: the share of its modelled cycles in which cores wait for data.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/totals/totals.h"

namespace hm::totals {

struct Counting;

// A part of the cycles.
struct CyclePart {
  std::string_view event;  // the event that counts it: "dram_wait"
  std::string_view name;   // for what cores wait: "memory"
  double share = 0;        // of all cycles, from 0 to 1
};

struct MissRate {
  std::string_view level;  // "L1"
  double per_thousand_instructions = 0;
};

struct Verdict {
  double memory = 0;  // share of the cycles in which cores wait for data, from 0 to 1
  // Half-width of the share's 95 % interval; nullopt if everything was measured, or if it is unknown.
  std::optional<double> error;
  bool in_bursts = false;
  // Set if no burst had a wait: the largest share of the instructions that bursts may have missed. Waits in
  // that part are unknown, and `memory` is from the part that was measured exactly.
  std::optional<double> unseen;
  std::vector<CyclePart> of_memory;  // its parts, the largest first
  std::optional<double> fetch;       // waits for instructions; nullopt if code is not modelled
  std::optional<double> branches;    // mispredicted branches; nullopt if they have no cost
  std::vector<MissRate> misses;      // of loads, by level
  std::optional<double> instructions_per_cycle;
  // The kernel's share of the CPU time, which is not in the modelled cycles; nullopt if it is unknown. Both
  // parts of the CPU time include the software PMU's own.
  std::optional<double> unseen_kernel;
  // Only with costs of a machine is the share an estimate of time. Stated costs are too high for misses,
  // which overlap, and too high for instructions, of which a processor executes several in a cycle.
  record::CostSource costs = record::CostSource::kStated;
};

// Returns nullopt if waits were not measured: without the software PMU, or in too few bursts for an interval.
[[nodiscard]] std::optional<Verdict> find_verdict(const profile::Profile& profile);
[[nodiscard]] std::optional<Verdict> find_verdict(const Counting& counting);

}  // namespace hm::totals
