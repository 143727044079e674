// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "store/queries.h"

namespace hm::store {

struct UnnamedPlace {
  std::string build_id;
  uint64_t offset = 0;
};

// Ignores the selection's function. Returns the places with the largest counts first, at most `limit`.
[[nodiscard]] Result<std::vector<UnnamedPlace>> unnamed_places(Store& store, const Selection& selection,
                                                               size_t limit);

}  // namespace hm::store
