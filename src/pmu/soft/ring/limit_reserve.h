// SPDX-License-Identifier: MIT
// A process's memory limits (setrlimit(2)) count the engine's memory, too. While the engine is in a process,
// the kernel's limits exceed the limits that the program sees by a reserve. The engine rejects allocations
// above the program's limits. No computer has that much memory, so a finite limit of at least kLimitReserve
// includes the reserve. Freestanding.
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

// Returns the kernel's limit for the program's limit `limit`.
constexpr uint64_t with_reserve(uint64_t limit) {
  return limit >= kLimitReserve ? limit : limit + kLimitReserve;
}
constexpr ResourceLimit with_reserve(ResourceLimit limit) {
  return {with_reserve(limit.soft), with_reserve(limit.hard)};
}

// Returns the program's limit for the kernel's limit `limit`, which need not include the reserve.
constexpr uint64_t without_reserve(uint64_t limit) {
  return limit == kNoLimit || limit < kLimitReserve ? limit : limit - kLimitReserve;
}
constexpr ResourceLimit without_reserve(ResourceLimit limit) {
  return {without_reserve(limit.soft), without_reserve(limit.hard)};
}

}  // namespace hm::soft
