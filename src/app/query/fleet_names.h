// SPDX-License-Identifier: MIT
// Looks up names for code that the agents could not name.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "analysis/fleet/naming.h"
#include "base/result.h"
#include "store/queries.h"
#include "symbol/build_names.h"

namespace hm::query {

// Maximum number of places to look up, the hottest ones. Their names are part of each query.
inline constexpr size_t kMaxUnnamedPlaces = 4000;

// Looks up the missing names in the rows of the selections and adds the names to all selections. Returns
// nullopt without a look-up if `names` is null, or if no key is a function, file or line and no selection
// names a function.
[[nodiscard]] Result<std::optional<fleet::Naming>> find_names(store::Store& store, symbol::BuildNames* names,
                                                              const std::vector<store::Key>& keys,
                                                              std::span<store::Selection> selections);

}  // namespace hm::query
