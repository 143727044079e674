// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "store/queries.h"

namespace hm::store {

struct UnnamedPlace {
  std::string build_id;
  uint64_t offset = 0;
};

// Of the selection's rows, whatever its function; those with the greatest count first, at most `limit`.
[[nodiscard]] Result<std::vector<UnnamedPlace>> unnamed_places(Store& store, const Selection& selection,
                                                               size_t limit);

}  // namespace hm::store
