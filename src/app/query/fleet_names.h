// SPDX-License-Identifier: MIT
// Names for code that the machines it ran on could not name.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "analysis/fleet/naming.h"
#include "base/result.h"
#include "store/queries.h"
#include "symbol/build_names.h"

namespace hm::query {

// As many places are looked for: the hottest. Their names are a part of each question.
inline constexpr size_t kMostUnnamedPlaces = 4000;

// Looks for what the rows of the selections lack, and lets all of them have it. nullopt, and nothing is
// asked, where there are no `names`, and where neither the keys nor a selection are about functions or lines.
[[nodiscard]] Result<std::optional<fleet::Naming>> find_names(store::Store& store, symbol::BuildNames* names,
                                                              const std::vector<store::Key>& keys,
                                                              std::span<store::Selection> selections);

}  // namespace hm::query
