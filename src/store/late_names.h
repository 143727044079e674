// SPDX-License-Identifier: MIT
// Names of code that no agent could resolve, but that the reader of a store finds in debug files. A place
// keeps the names in its row, and takes only missing names from here.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "store/store.h"

namespace hm::store {

struct LateName {
  std::string build_id;
  uint64_t offset = 0;
  std::string function, file;  // empty: unknown
  uint32_t line = 0;           // 0: unknown
};

// SQL condition: the function has no name, but can be looked up.
inline constexpr std::string_view kHasNoName =
    "(function = '' OR function LIKE '[%+0x%]') AND build_id <> '' AND offset <> 0";

// Returns an SQL expression for the column `name`. For function, file and line it fills in the late names;
// other columns are unchanged.
[[nodiscard]] std::string named_column(const Store& store, std::string_view name,
                                       const std::vector<LateName>& names);

}  // namespace hm::store
