// SPDX-License-Identifier: MIT
// Names of code that no agent could name: whoever asks a store may know them from debug files. A place keeps
// what its row says, and takes from here what that lacks.
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
  std::string function, file;  // empty: not known
  uint32_t line = 0;           // 0: likewise
};

// A condition: no name of the function, but what finds it.
inline constexpr std::string_view kHasNoName =
    "(function = '' OR function LIKE '[%+0x%]') AND build_id <> '' AND offset <> 0";

// An expression for the column `name`: function, file, line, or another, which is as it is.
[[nodiscard]] std::string named_column(const Store& store, std::string_view name,
                                       const std::vector<LateName>& names);

}  // namespace hm::store
