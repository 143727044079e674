// SPDX-License-Identifier: MIT
// A recording in other forms.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "app/query/load.h"
#include "base/result.h"
#include "dump/dump_sink.h"
#include "profile/filter.h"
#include "profile/profile.h"
#include "symbol/resolver.h"

namespace hm::query {

struct DumpExport {
  std::string input = "perf.data";  // Input::open()
  std::string event;                // by its name; may be empty where there is only one
  dump::DumpOptions dump;
};

// Writes the samples of one event, in order of time, as the original's dump; how many there were. kNotFound;
// kInvalidArgument where the event has to be named.
[[nodiscard]] Result<uint64_t> export_dump(const DumpExport& options);

struct SampleExport {
  std::string input = "perf.data";  // Input::open()
  Reading reading;
  profile::FilterOptions filter;
  bool chains = false;  // who called is wanted too
};

struct ExportedSamples {
  profile::Profile profile;
  std::vector<size_t> samples;  // of it, those that the filter lets through, in order of time
};

// With details and objects. Errors: load_profile's and Filter::make's.
[[nodiscard]] Result<ExportedSamples> export_samples(const SampleExport& options,
                                                     const symbol::Resolver& resolver);

}  // namespace hm::query
