// SPDX-License-Identifier: MIT
// Sort keys: the properties of samples that define a row.
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
  kCgroup,  // container or control group of the process
  kEvent,
  kObject,
  kField,
  kType,
  kSite,
  kMem,  // memory level that served an access; this key and the ones below come from the data source
  kSnoop,
  kTlb,
  kLocked,
  kAccess
};

// Returns true for keys of the accessed data. The profile must have been loaded with Needs::objects.
[[nodiscard]] constexpr bool is_of_data(SortKey key) {
  return key == SortKey::kObject || key == SortKey::kField || key == SortKey::kType;
}

// Returns true for keys that come from the samples' data sources (profile/data_source.h).
[[nodiscard]] constexpr bool is_of_data_source(SortKey key) { return key >= SortKey::kMem; }

// Returns "function", "line", ...
[[nodiscard]] std::string_view name_of(SortKey key);
// Parses a list, for example "dso,sym". Accepts the names above, perf's (sym, symbol, srcline, tid, pid) and
// "container". Fails with kInvalidArgument for an unknown or repeated name.
Result<std::vector<SortKey>> parse_sort_keys(std::string_view list);

}  // namespace hm::hotspots
