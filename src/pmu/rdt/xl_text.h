// SPDX-License-Identifier: MIT
// Parses the output of Xen's command xl, versions 4.5 to 4.17 (tools/xl/xl_psr.c, xl_list.c). A domain name
// may contain any text, so lines are parsed from their ends.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "pmu/rdt/provider.h"

namespace hm::rdt {

// Output of `xl psr-cmt-show cache-occupancy`.
struct XlOccupancy {
  uint32_t ids = 0;             // RMIDs available to domains
  std::vector<Domain> sockets;  // their last-level caches
  // Occupancy of the attached domains, by domain number and in the order of the sockets. If xl printed fewer
  // values than there are sockets, it is unclear which are missing, so all are nullopt.
  std::map<uint32_t, std::vector<std::optional<uint64_t>>> held_bytes;
};

// Returns nullopt if a line is not understood, because it could belong to any domain.
[[nodiscard]] std::optional<XlOccupancy> parse_xl_occupancy(std::string_view text);

struct XenDomain {
  uint32_t id = 0;
  std::string name;  // empty: xl printed no name

  bool operator==(const XenDomain&) const = default;
};

// Parses `xl list`, without domains that are being destroyed. Returns nullopt if a line is not understood.
[[nodiscard]] std::optional<std::vector<XenDomain>> parse_xl_list(std::string_view text);

}  // namespace hm::rdt
