// SPDX-License-Identifier: MIT
// Parsers for the output of Xen's command xl, as of Xen 4.5 to 4.17 (tools/xl/xl_psr.c, xl_list.c). Names of
// domains may contain anything, so lines are parsed from their ends.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "pmu/rdt/provider.h"

namespace hm::rdt {

// Parsed `xl psr-cmt-show cache-occupancy`.
struct XlOccupancy {
  uint32_t ids = 0;             // RMIDs available to domains
  std::vector<Domain> sockets;  // the sockets' last-level caches
  // Occupancy of the attached domains, by domain id, in the order of the sockets. If xl omits some of a
  // domain's numbers it does not mark which ones, so all of them are nullopt.
  std::map<uint32_t, std::vector<std::optional<uint64_t>>> held_bytes;
};

// Returns nullopt if a line is not understood, because it could belong to any domain.
[[nodiscard]] std::optional<XlOccupancy> parse_xl_occupancy(std::string_view text);

struct XenDomain {
  uint32_t id = 0;
  std::string name;  // empty if xl prints none

  bool operator==(const XenDomain&) const = default;
};

// Parses `xl list`, without domains that are being destroyed. Returns nullopt if a line is not understood.
[[nodiscard]] std::optional<std::vector<XenDomain>> parse_xl_list(std::string_view text);

}  // namespace hm::rdt
