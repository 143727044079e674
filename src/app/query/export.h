// SPDX-License-Identifier: MIT
// A recording in other words.
#pragma once

#include <string>

#include "base/result.h"
#include "dump/dump_sink.h"

namespace hm::query {

struct ExportOptions {
  std::string input = "perf.data";  // Input::open()
  std::string event;                // by its name; may be empty where there is only one
  dump::DumpOptions dump;
};

// Writes the samples of one event, in order of time, as the original's dump; how many there were. kNotFound;
// kInvalidArgument where the event has to be named.
[[nodiscard]] Result<uint64_t> export_dump(const ExportOptions& options);

}  // namespace hm::query
