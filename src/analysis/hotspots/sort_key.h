// SPDX-License-Identifier: MIT
// What makes a row.
#pragma once

#include <string_view>
#include <vector>

#include "base/result.h"

namespace hm::hotspots {

enum class SortKey {
  kFunction,
  kLine,
  kIp,
  kDso,
  kThread,
  kProcess,
  kComm,
  kEvent,
  kObject,
  kField,
  kType,
  kSite,
  kMem,  // who answered an access; so the next four
  kSnoop,
  kTlb,
  kLocked,
  kAccess
};

// What the samples' data addresses lie in: the profile must have been loaded with Needs::objects.
[[nodiscard]] constexpr bool is_of_data(SortKey key) {
  return key == SortKey::kObject || key == SortKey::kField || key == SortKey::kType;
}

// What the samples' data sources say (profile/data_source.h).
[[nodiscard]] constexpr bool is_of_data_source(SortKey key) { return key >= SortKey::kMem; }

// "function", "line", ...
[[nodiscard]] std::string_view name_of(SortKey key);
// "dso,sym": the names above and perf's (sym, symbol, srcline, tid, pid). kInvalidArgument for an unknown or
// repeated one.
Result<std::vector<SortKey>> parse_sort_keys(std::string_view list);

}  // namespace hm::hotspots
