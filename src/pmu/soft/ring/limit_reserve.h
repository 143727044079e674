// SPDX-License-Identifier: MIT
// Limits of a process's memory (setrlimit(2)) count the engine's memory, too. So as long as the engine is in
// a process, the kernel's limits are above those that the program sees by a reserve, and the engine refuses
// what is above the program's. No computer has so much memory: a finite limit from the reserve on has the
// reserve in it. Freestanding.
#pragma once

#include <stdint.h>

namespace hm::soft {

struct ResourceLimit {
  uint64_t soft, hard;
};

inline constexpr uint64_t kNoLimit = ~uint64_t{0};  // RLIM_INFINITY
inline constexpr uint64_t kLimitReserve = uint64_t{1} << 46;
inline constexpr uint32_t kDataLimit = 2, kAddressSpaceLimit = 9;  // RLIMIT_DATA, RLIMIT_AS
inline constexpr uint32_t kReservedLimits[] = {kDataLimit, kAddressSpaceLimit};

constexpr bool is_reserved_limit(uint64_t resource) {
  return resource == kDataLimit || resource == kAddressSpaceLimit;
}

// The kernel's limit where the program has `limit`.
constexpr uint64_t with_reserve(uint64_t limit) {
  return limit >= kLimitReserve ? limit : limit + kLimitReserve;
}
constexpr ResourceLimit with_reserve(ResourceLimit limit) {
  return {with_reserve(limit.soft), with_reserve(limit.hard)};
}

// The program's limit where the kernel has `limit`, also if there is no reserve in it.
constexpr uint64_t without_reserve(uint64_t limit) {
  return limit == kNoLimit || limit < kLimitReserve ? limit : limit - kLimitReserve;
}
constexpr ResourceLimit without_reserve(ResourceLimit limit) {
  return {without_reserve(limit.soft), without_reserve(limit.hard)};
}

}  // namespace hm::soft
