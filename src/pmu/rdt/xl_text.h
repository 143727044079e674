// SPDX-License-Identifier: MIT
// What Xen's command xl prints, as of Xen 4.5 to 4.17 (tools/xl/xl_psr.c, xl_list.c). Names of domains may
// hold anything: lines are read from their ends.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "pmu/rdt/provider.h"

namespace hm::rdt {

// Of `xl psr-cmt-show cache-occupancy`.
struct XlOccupancy {
  uint32_t ids = 0;             // RMIDs that domains can have
  std::vector<Domain> sockets;  // their last-level caches
  // What the domains that are attached hold, by their number and in the order of the sockets. Where xl has
  // not told all of them it does not say which are missing: none is known.
  std::map<uint32_t, std::vector<std::optional<uint64_t>>> held_bytes;
};

// nullopt where a line is not understood: it could be of any domain.
[[nodiscard]] std::optional<XlOccupancy> parse_xl_occupancy(std::string_view text);

struct XenDomain {
  uint32_t id = 0;
  std::string name;  // empty: none is told

  bool operator==(const XenDomain&) const = default;
};

// Of `xl list`; without domains that are being destroyed. nullopt where a line is not understood.
[[nodiscard]] std::optional<std::vector<XenDomain>> parse_xl_list(std::string_view text);

}  // namespace hm::rdt
