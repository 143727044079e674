// SPDX-License-Identifier: MIT
// A recording that perf splits over a folder (perf record --threads, --kcore): "data" is an ordinary
// recording, "data.0", "data.1", ... hold further records and nothing else, one file for each thread of the
// recorder; tools/perf/util/data.c in the Linux source.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"

namespace hm::record {

inline constexpr const char* kFolderHead = "data";

struct RecordingFolder {
  std::vector<std::string> parts;     // the names of data.0, data.1, ... that are there, by number
  std::vector<std::string> problems;  // a sentence each: numbers that are missing
};

// kNotFound where there is no "data" in it, kIo, kPermission.
Result<RecordingFolder> list_recording_folder(const std::string& path);

}  // namespace hm::record
