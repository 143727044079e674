// SPDX-License-Identifier: MIT
// Functions of two builds that a comparison needs besides those with samples.
#pragma once

#include <string>
#include <vector>

#include "analysis/diff/diff_recording.h"
#include "profile/profile.h"
#include "symbol/resolver.h"

namespace hm::query {

// Returns the source names of the functions in a recording's rows, without files.
[[nodiscard]] std::vector<std::string> source_names_of(const diff::Recording& recording);

// Adds to `recording.defined` the functions of the program's objects that match a name in `names` and have no
// row. Names are source names with or without parameters.
void add_defined(const profile::Profile& profile, const symbol::Resolver& resolver,
                 const std::vector<std::string>& names, diff::Recording& recording);

}  // namespace hm::query
