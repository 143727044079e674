// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "app/query/load.h"
#include "base/result.h"
#include "symbol/resolver.h"

namespace hm::query {

struct ArchiveOptions {
  std::string input = "perf.data";
  std::string output;
  Reading reading;          // for load_profile()
  bool no_sources = false;  // leave out source texts
};

struct Archived {
  size_t objects = 0;  // programs, libraries and symbol maps with samples or callers in them
  size_t debug_files = 0;
  size_t sources = 0;
  uint64_t bytes = 0;                 // of the files in the archive, compressed
  std::vector<std::string> problems;  // of the recording, and files that are not in the archive; sentences
};

// Writes a copy of a recording with the files that its names, lines and instructions come from
// (symbol/files/file_archive.h). Every reading command takes the copy as a recording, and so does perf.
[[nodiscard]] Result<Archived> make_archive(const ArchiveOptions& options, const symbol::Resolver& resolver);

}  // namespace hm::query
