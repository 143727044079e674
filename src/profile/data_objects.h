// SPDX-License-Identifier: MIT
// Finds the data object at each sample's data address, in a pass over the finished samples.
#pragma once

#include <vector>

#include "profile/change.h"
#include "profile/record_index.h"
#include "record/reader.h"
#include "symbol/resolver.h"

namespace hm::profile {

class Profile;

// Fills in the profile's objects and the samples' columns for them; with `fields` also types and fields.
// `index` must be sorted by time, as when the samples were loaded from it; `changes` must belong to it.
void find_data_objects(const record::Reader& reader, const RecordIndex& index,
                       const std::vector<Change>& changes, const symbol::Resolver& resolver, bool fields,
                       Profile& profile);

}  // namespace hm::profile
