// SPDX-License-Identifier: MIT
// A process's mappings, and the free ranges that have room for the copying engine.
#pragma once

#include <cstdint>
#include <string_view>

namespace hm::soft {

enum class RangeUse : uint8_t {
  kFree,
  kCutOff,  // a partial engine of a recorder killed while loading it; it has no threads
  kTaken,   // the program's own memory
};

// `maps`: the text of /proc/PID/maps. An engine's image and process area fill [begin, image_end); its other
// mappings at fixed addresses end before `range_end`.
[[nodiscard]] RangeUse use_of_range(std::string_view maps, uint64_t begin, uint64_t image_end,
                                    uint64_t range_end);

// Returns the size of the longest unmapped range below the end of user space.
[[nodiscard]] uint64_t largest_free_range(std::string_view maps);

}  // namespace hm::soft
