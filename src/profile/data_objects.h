// SPDX-License-Identifier: MIT
// Tells for each sample with a data address what lies there: a pass over the finished samples.
#pragma once

#include <vector>

#include "profile/change.h"
#include "profile/record_index.h"
#include "record/reader.h"
#include "symbol/resolver.h"

namespace hm::profile {

class Profile;

// Fills in the profile's objects, with `fields` its types and fields, too, and the samples' columns for them.
// `index`: sorted by time, as the samples were taken from it; `changes`: of it.
void find_data_objects(const record::Reader& reader, const RecordIndex& index,
                       const std::vector<Change>& changes, const symbol::Resolver& resolver, bool fields,
                       Profile& profile);

}  // namespace hm::profile
