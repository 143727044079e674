// SPDX-License-Identifier: MIT
#pragma once

#include "base/result.h"
#include "profile/profile.h"
#include "record/reader.h"

namespace hm::profile {

// Reads the recording to its end. The records are taken in order of time, where they have one: a file is in
// order only within each CPU's ring. What is damaged becomes a problem of the profile; kDamaged where there
// is no event at all. The reader may go afterwards.
Result<Profile> load(record::Reader& reader);

}  // namespace hm::profile
