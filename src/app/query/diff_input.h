// SPDX-License-Identifier: MIT
// Recordings and baselines as analysis/diff takes them.
#pragma once

#include <string>
#include <vector>

#include "analysis/diff/recording.h"
#include "analysis/hotspots/hotspots.h"
#include "base/result.h"
#include "profile/profile.h"

namespace hm::query {

// What makes a row: the chosen keys, and the object of a function, line or address unless `any_dso`.
[[nodiscard]] std::vector<hotspots::SortKey> diff_keys(std::vector<hotspots::SortKey> chosen, bool any_dso);

// Rows by these keys. Threads and processes go by their name alone, as their numbers are new in each run.
// `wanted`: functions, by their names in the source, that the program is searched for if it has no sample in
// them.
[[nodiscard]] Result<diff::Recording> diff_recording(const profile::Profile& profile,
                                                     const symbol::Resolver& resolver,
                                                     const std::vector<hotspots::SortKey>& keys,
                                                     const std::vector<std::string>& wanted);

// It begins as JSON does, with a byte order mark or without, or is empty, which no recording is. What is no
// regular file is a recording.
[[nodiscard]] bool is_baseline(const std::string& path);

// kInvalidArgument for what is no baseline, has rows by what is no sort key, or is larger than 16 MiB.
[[nodiscard]] Result<diff::Recording> load_baseline(const std::string& path);
// By what its rows are.
[[nodiscard]] std::vector<hotspots::SortKey> keys_of_baseline(const diff::Recording& baseline);

}  // namespace hm::query
