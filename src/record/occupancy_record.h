// SPDX-License-Identifier: MIT
// Occupancy of the last-level caches over time, stored as samples of a separate event. perf ignores their RAW
// payload. The occupied bytes are also the sample's period, for tools that do not know the payload.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/bytes.h"
#include "record/event.h"
#include "record/sample.h"

namespace hm::record {

inline constexpr char kOccupancyEvent[] = "llc_occupancy";
inline constexpr uint64_t kOccupancyConfig = 0x4c4c43;  // perf_event_attr::config; no real event has it

struct OccupancyReading {
  std::string name;  // of the measured program; readings with the same name form one series
  bool is_modelled = false;
  uint64_t cache_bytes = 0;                   // total size of all last-level caches; 0: unknown
  std::optional<uint64_t> occupancy_bytes;    // nullopt: not measured
  std::optional<uint64_t> total_bytes_per_s;  // memory-bus traffic since the previous reading

  bool operator==(const OccupancyReading&) const = default;
};

inline constexpr size_t kMaxOccupancyName = 512;  // bytes; longer names are cut

[[nodiscard]] EventDescription occupancy_event(uint64_t id);
[[nodiscard]] bool is_occupancy_event(const EventDescription& event);

// Returns the sample of a reading. Its RAW payload points into `payload`, which must outlive the sample.
[[nodiscard]] Sample occupancy_sample(const OccupancyReading& reading, std::vector<std::byte>& payload);

// Returns nullopt if `raw` is not an occupancy payload or is damaged.
[[nodiscard]] std::optional<OccupancyReading> decode_occupancy(Bytes raw, bool swap);

}  // namespace hm::record
