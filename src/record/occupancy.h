// SPDX-License-Identifier: MIT
// Who held how much of the last-level caches when, in a recording: samples of an event of their own, whose
// RAW payload perf passes over. A reading's bytes are the sample's period, too, for tools that know no more.
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
inline constexpr uint64_t kOccupancyConfig = 0x4c4c43;  // perf_event_attr::config; no event's number

struct OccupancyReading {
  std::string name;  // of who is measured; readings of one name are one series
  bool is_modelled = false;
  uint64_t cache_bytes = 0;                   // of all last-level caches together; 0: not known
  std::optional<uint64_t> occupancy_bytes;    // nullopt: not measured
  std::optional<uint64_t> total_bytes_per_s;  // through the memory bus, since the reading before

  bool operator==(const OccupancyReading&) const = default;
};

inline constexpr size_t kMostOccupancyName = 512;  // bytes; longer ones are cut

[[nodiscard]] EventDescription occupancy_event(uint64_t id);
[[nodiscard]] bool is_occupancy_event(const EventDescription& event);

// The sample of a reading; its RAW payload lies in `payload`, which has to stay as long as the sample.
[[nodiscard]] Sample occupancy_sample(const OccupancyReading& reading, std::vector<std::byte>& payload);

// nullopt where it is none, or damaged.
[[nodiscard]] std::optional<OccupancyReading> decode_occupancy(Bytes raw, bool swap);

}  // namespace hm::record
