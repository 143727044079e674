// SPDX-License-Identifier: MIT
// Data about the functions of two builds that a comparison needs besides the samples.
#pragma once

#include <string>
#include <vector>

#include "analysis/diff/recording.h"
#include "analysis/hotspots/sort_key.h"
#include "profile/profile.h"
#include "symbol/resolver.h"

namespace hm::query {

// Adds the inlined parts of rows and the origins of the rows' functions. Does nothing if rows are not by
// function.
void add_functions(const profile::Profile& profile, const symbol::Resolver& resolver,
                   const std::vector<hotspots::SortKey>& keys, diff::Recording& recording);

// Returns the source names of the functions in a recording's rows.
[[nodiscard]] std::vector<std::string> source_names_of(const diff::Recording& recording);

// Adds to `recording.defined` the functions of the program's objects that match a name in `names` and have no
// row. Names are source names with or without parameters.
void add_defined(const profile::Profile& profile, const symbol::Resolver& resolver,
                 const std::vector<std::string>& names, diff::Recording& recording);

}  // namespace hm::query
