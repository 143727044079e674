// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

#include "base/parallel.h"
#include "base/result.h"
#include "profile/needs.h"
#include "profile/profile.h"
#include "record/reader.h"
#include "symbol/resolver.h"

namespace hm::profile {

struct LoadOptions {
  Needs needs{};
  // Samples of the clock event go to the instruction that waited (profile/clock_attribution.h), not where the
  // interrupt fell.
  bool attribute_clock = true;
  // Files of this machine are the recording's also where nothing says so (profile/file_trust.h).
  bool trust_files = true;
  size_t workers = available_cpus();             // threads
  size_t samples_per_segment = size_t{1} << 16;  // at least: what a thread does at a time
};

// Reads the recording to its end. The records are taken in order of time, where they have one: a file is in
// order only within each CPU's ring. What is damaged becomes a problem of the profile; kDamaged where there
// is no event at all. The reader and the resolver may go afterwards. The profile does not depend on the
// workers and segments.
Result<Profile> load(record::Reader& reader, const symbol::Resolver& resolver,
                     const LoadOptions& options = {});

}  // namespace hm::profile
