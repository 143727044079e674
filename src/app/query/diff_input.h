// SPDX-License-Identifier: MIT
// Converts recordings and baselines to the input of analysis/diff.
#pragma once

#include <string>
#include <vector>

#include "analysis/diff/diff_recording.h"
#include "analysis/hotspots/hotspots.h"
#include "base/result.h"
#include "profile/profile.h"

namespace hm::query {

// Returns the sort keys of rows: the chosen keys, and the object of a function, line or address unless
// `any_dso`.
[[nodiscard]] std::vector<hotspots::SortKey> diff_keys(std::vector<hotspots::SortKey> chosen, bool any_dso);

// Returns the rows by these keys. Threads and processes are identified by name only, because their IDs differ
// in each run. `wanted` lists source names of functions to look up in the program if they have no samples.
[[nodiscard]] Result<diff::Recording> diff_recording(const profile::Profile& profile,
                                                     const symbol::Resolver& resolver,
                                                     const std::vector<hotspots::SortKey>& keys,
                                                     const std::vector<std::string>& wanted);

// Returns true if the file starts like JSON, with or without a byte order mark, or is empty, which no
// recording is. Anything but a regular file counts as a recording.
[[nodiscard]] bool is_baseline(const std::string& path);

// Fails with kInvalidArgument if the file is no baseline, has rows by an unknown sort key, or is larger than
// 16 MiB.
[[nodiscard]] Result<diff::Recording> load_baseline(const std::string& path);
// Returns the sort keys of the baseline's rows.
[[nodiscard]] std::vector<hotspots::SortKey> keys_of_baseline(const diff::Recording& baseline);

}  // namespace hm::query
