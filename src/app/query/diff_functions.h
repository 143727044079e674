// SPDX-License-Identifier: MIT
// What a comparison of two builds has to know of their functions beyond the samples.
#pragma once

#include <string>
#include <vector>

#include "analysis/diff/recording.h"
#include "analysis/hotspots/sort_key.h"
#include "profile/profile.h"
#include "symbol/resolver.h"

namespace hm::query {

// Adds the parts of rows that are inlined code, and the origins of the rows' functions. Nothing if rows are
// not by function.
void add_functions(const profile::Profile& profile, const symbol::Resolver& resolver,
                   const std::vector<hotspots::SortKey>& keys, diff::Recording& recording);

// The functions of a recording's rows, by their names in the source.
[[nodiscard]] std::vector<std::string> source_names_of(const diff::Recording& recording);

// Adds to `recording.defined` those functions of the program's objects that one of `names`, each a name in
// the source with or without parameters, stands for and that no row has.
void add_defined(const profile::Profile& profile, const symbol::Resolver& resolver,
                 const std::vector<std::string>& names, diff::Recording& recording);

}  // namespace hm::query
