// SPDX-License-Identifier: MIT
// What a process has mapped, and where it has room for the copying engine.
#pragma once

#include <cstdint>
#include <string_view>

namespace hm::soft {

enum class RangeUse : uint8_t {
  kFree,
  kCutOff,  // an engine that a recorder was about to bring when it was killed: no thread is in it
  kTaken,   // memory of the program's own
};

// `maps`: the text of /proc/PID/maps. An engine's image and process area fill [begin, image_end); its other
// mappings at fixed addresses end before `range_end`.
[[nodiscard]] RangeUse use_of_range(std::string_view maps, uint64_t begin, uint64_t image_end,
                                    uint64_t range_end);

// The size of the longest range below the end of user space in which nothing is mapped.
[[nodiscard]] uint64_t largest_free_range(std::string_view maps);

}  // namespace hm::soft
