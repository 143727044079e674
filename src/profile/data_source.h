// SPDX-License-Identifier: MIT
// Formats a sample's data source (how the access was served) in perf's terms: union perf_mem_data_src,
// perf_event_open(2), "PERF_SAMPLE_DATA_SRC".
#pragma once

#include <cstdint>
#include <string>

namespace hm::profile {

inline constexpr const char* kNotTold = "N/A";

// Returns true if the data source describes an access: many events have the field but leave it empty.
[[nodiscard]] bool has_access_kind(uint64_t source);

// Returns the level of the memory hierarchy that served the access: "L1 hit", "LFB/MAB hit", "remote RAM
// hit", "L3 miss".
[[nodiscard]] std::string level_of(uint64_t source);
// Returns "load", "store" or "load+store".
[[nodiscard]] std::string access_of(uint64_t source);
// Returns the snoop result of other caches: "none", "hit", "HitM".
[[nodiscard]] std::string snoop_of(uint64_t source);
// Returns "L1 hit", "L1 or L2 hit", "walker hit", "L2 miss", ...
[[nodiscard]] std::string tlb_of(uint64_t source);
// Returns "yes" or "no".
[[nodiscard]] std::string locked_of(uint64_t source);

}  // namespace hm::profile
