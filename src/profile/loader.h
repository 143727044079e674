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
  // Moves samples of the clock event to the instruction that waited (profile/clock_attribution.h) instead of
  // the interrupted instruction.
  bool attribute_clock = true;
  // Takes files on this machine for the recorded ones even without evidence (profile/file_trust.h).
  bool trust_files = true;
  size_t workers = available_cpus();             // threads
  size_t samples_per_segment = size_t{1} << 16;  // minimum size of a unit of work for a thread
};

// Reads the recording to its end. Processes the records in time order if they have times: a file is in order
// only within each CPU's ring. Damage becomes a problem of the profile; fails with kDamaged if there is no
// event at all. The profile does not refer to the reader and the resolver, and does not depend on the number
// of workers and segments.
Result<Profile> load(record::Reader& reader, const symbol::Resolver& resolver,
                     const LoadOptions& options = {});

}  // namespace hm::profile
