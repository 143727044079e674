// SPDX-License-Identifier: MIT
// What a sample's data source says of the access, in perf's words: union perf_mem_data_src,
// perf_event_open(2), "PERF_SAMPLE_DATA_SRC".
#pragma once

#include <cstdint>
#include <string>

namespace hm::profile {

inline constexpr const char* kNotTold = "N/A";

// Whether it says of what kind the access was: many events have the field and nothing in it.
[[nodiscard]] bool tells_access(uint64_t source);

// Who answered: "L1 hit", "LFB/MAB hit", "remote RAM hit", "L3 miss".
[[nodiscard]] std::string level_of(uint64_t source);
// "load", "store", "load+store".
[[nodiscard]] std::string access_of(uint64_t source);
// What other caches said: "none", "hit", "HitM".
[[nodiscard]] std::string snoop_of(uint64_t source);
// "L1 hit", "L1 or L2 hit", "walker hit", "L2 miss".
[[nodiscard]] std::string tlb_of(uint64_t source);
// "yes" or "no".
[[nodiscard]] std::string locked_of(uint64_t source);

}  // namespace hm::profile
