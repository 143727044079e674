// SPDX-License-Identifier: MIT
// The rows of a recording in a comparison. If functions of one name are in several source files of an object,
// their names in the rows have the file: "walk (one.c)".
#pragma once

#include <vector>

#include "analysis/diff/diff_recording.h"
#include "analysis/hotspots/sort_key.h"
#include "profile/profile.h"
#include "symbol/resolver.h"

namespace hm::query {

// Adds to `recording`, which has the profile's events, the rows of its samples. If rows are by function, also
// adds the inlined parts of rows and the origins of the rows' functions.
void add_rows(const profile::Profile& profile, const symbol::Resolver& resolver,
              const std::vector<hotspots::SortKey>& keys, diff::Recording& recording);

}  // namespace hm::query
