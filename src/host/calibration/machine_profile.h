// SPDX-License-Identifier: MIT
// What things cost on one machine, measured by timing alone. The cost model turns counts of events into time
// by such a profile.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "host/estimate.h"

namespace hm::host {

// Independent pointer chases at the same time: how far misses overlap.
struct Overlap {
  uint32_t chains = 1;
  Estimate ns;  // per load, over all chains
};

// Sequential use of memory of the level's size. In bytes per nanosecond.
struct Bandwidth {
  Estimate read;
  Estimate write;
  Estimate copy;  // bytes copied
};

// A chase through a part of a cache.
struct SizeLatency {
  uint64_t bytes = 0;
  Estimate ns;  // per load
};

struct LevelProfile {
  std::string name;                // "L1", "L2", "L3", "memory"
  uint64_t measured_bytes = 0;     // size of the memory that was used
  std::vector<Overlap> overlap{};  // by ascending number of chains; the first has one chain: the latency
  Estimate store_ns{};             // a store to a random line of the level
  std::optional<Bandwidth> bandwidth{};
  // Of the third level: one through an eighth, three, five and seven eighths of it. In a virtual machine,
  // others may use most of the cache.
  std::vector<SizeLatency> by_size{};
};

// Dependent loads at a constant distance from memory. If a prefetcher follows the walk, a step costs much
// less than the memory's latency.
struct WalkProfile {
  int64_t stride_bytes = 0;  // negative: downwards
  uint32_t streams = 1;      // walks in different regions, in turns
  bool huge_pages = false;
  Estimate ns;  // per load
};

// What an instruction costs beyond the usual in a case that processors handle badly.
struct Hazards {
  Estimate mispredicted_branch_ns;
  Estimate split_line_ns;       // a load across two lines
  Estimate split_page_ns;       // a load across two pages
  Estimate blocked_forward_ns;  // a load of bytes of two earlier stores
  Estimate page_alias_ns;       // a load after a store to an address 4 KiB away
};

struct MachineProfile {
  std::string cpu_id;    // "AuthenticAMD,25,17,1": vendor, family, model, stepping
  std::string cpu_name;  // "AMD EPYC 9R14"
  std::string date;      // ISO 8601, UTC
  bool is_virtual = false;
  Estimate core_ghz;
  double instructions_per_cycle = 0;   // of any kind
  double additions_per_cycle = 0;      // independent ones
  std::vector<LevelProfile> levels{};  // fastest first
  // Additional time of a load that misses the first TLB: served by the second TLB, or by a page walk. Unset
  // if the kernel provided no huge pages for the comparison.
  std::optional<Estimate> second_tlb_ns{};
  std::optional<Estimate> page_walk_ns{};
  std::vector<WalkProfile> walks{};
  Estimate sparse_load_ns{};  // a load from memory among independent ones (sparse_loads.h)
  Hazards hazards{};
  std::optional<Estimate> modified_line_ns{};  // a line that another core has modified; unset: one CPU
  // How far the measurement can be trusted.
  uint64_t preemptions = 0;
  std::optional<double> stolen_share{};
  uint64_t elapsed_ns = 0;
};

inline constexpr double kSmallestNs = 0.5;  // differences below are not resolved by the measurement

// Returns whether repetitions of the measurement agreed: the interval is at most a tenth of the value on both
// sides.
[[nodiscard]] bool is_steady(const Estimate& estimate);

// The time of a load that waits for the load before. The level must have been measured.
[[nodiscard]] double latency_ns(const LevelProfile& level);

// The least time per load if several loads are independent. The level must have been measured.
[[nodiscard]] double min_ns(const LevelProfile& level);

// The number of instructions in execution while the oldest one waits for memory.
[[nodiscard]] double window_instructions(const MachineProfile& profile);

// The largest number of loads of this level that overlap: the latency over the least time per load.
[[nodiscard]] double max_overlap(const LevelProfile& level);

}  // namespace hm::host
