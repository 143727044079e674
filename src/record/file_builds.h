// SPDX-License-Identifier: MIT
// Build IDs of files that have the same path in one recording: of two containers, or of a program that was
// replaced while it was recorded. perf's list of build IDs has one for each path, so the others are in the
// run description.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "record/features.h"

namespace hm::record {

struct FileBuild {
  std::string path;
  uint32_t major = 0;
  uint32_t minor = 0;
  uint64_t inode = 0;
  std::string build_id;  // hex

  bool operator==(const FileBuild&) const = default;
};

// Returns the run description with these builds.
[[nodiscard]] std::string with_file_builds(const std::string& run, const std::vector<FileBuild>& builds);

// Returns the builds in the run description; builds with invalid parts are left out.
[[nodiscard]] std::vector<FileBuild> file_builds(const Features& features);

}  // namespace hm::record
