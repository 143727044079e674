// SPDX-License-Identifier: MIT
// Exports recordings to other formats.
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
  std::string input = "perf.data";  // for Input::open()
  std::string event;                // name of the event; may be empty if there is only one
  dump::DumpOptions dump;
};

// Writes the samples of one event, in order of time, in the original's dump format. Returns the number of
// samples. Fails with kNotFound if the event does not exist, and with kInvalidArgument if the event must be
// named.
[[nodiscard]] Result<uint64_t> export_dump(const DumpExport& options);

struct SampleExport {
  std::string input = "perf.data";  // for Input::open()
  Reading reading;
  profile::FilterOptions filter;
  bool chains = false;  // include call chains
};

struct ExportedSamples {
  profile::Profile profile;
  std::vector<size_t> samples;  // indices of the samples that pass the filter, in order of time
};

// Loads the samples with details and data objects. Fails as load_profile() and Filter::make() do.
[[nodiscard]] Result<ExportedSamples> export_samples(const SampleExport& options,
                                                     const symbol::Resolver& resolver);

}  // namespace hm::query
