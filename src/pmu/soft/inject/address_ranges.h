// SPDX-License-Identifier: MIT
// Finds free address space for the copying engine in a process's mappings.
#pragma once

#include <cstdint>
#include <string_view>

namespace hm::soft {

enum class RangeUse : uint8_t {
  kFree,
  kCutOff,  // an unfinished engine of a recorder that was killed; no thread is in it
  kTaken,   // the program's own memory
};

// `maps`: text of /proc/PID/maps. An engine's image and process area fill [begin, image_end). Its other
// mappings at fixed addresses end before `range_end`.
[[nodiscard]] RangeUse use_of_range(std::string_view maps, uint64_t begin, uint64_t image_end,
                                    uint64_t range_end);

// Returns the size of the longest unmapped range below the end of user space.
[[nodiscard]] uint64_t largest_free_range(std::string_view maps);

}  // namespace hm::soft
