// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "pmu/rdt/provider.h"

namespace hm::rdt {

// Returns the third-level caches of the online CPUs, by id, from files such as
// /sys/devices/system/cpu/cpu0/cache/index3/{id,size} ("0", "32768K").
[[nodiscard]] std::vector<Domain> l3_caches(const std::string& cpus = "/sys/devices/system/cpu");

// Returns the id of a logical CPU's third-level cache; nullopt if the CPU does not exist or is offline.
[[nodiscard]] std::optional<uint32_t> l3_cache_of(uint32_t cpu,
                                                  const std::string& cpus = "/sys/devices/system/cpu");

}  // namespace hm::rdt
