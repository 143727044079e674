// SPDX-License-Identifier: MIT
// A recording that perf splits over a folder (perf record --threads, --kcore). "data" is an ordinary
// recording. "data.0", "data.1", ... hold only further records, one file for each thread of the recorder. See
// tools/perf/util/data.c in the Linux source.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"

namespace hm::record {

inline constexpr const char* kFolderHead = "data";

struct RecordingFolder {
  std::vector<std::string> parts;     // names of the existing files data.0, data.1, ..., ordered by number
  std::vector<std::string> problems;  // one sentence each: missing numbers
};

// Fails with kNotFound if the folder contains no "data", with kIo or with kPermission.
Result<RecordingFolder> list_recording_folder(const std::string& path);

}  // namespace hm::record
