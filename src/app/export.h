// SPDX-License-Identifier: MIT
// A recording in other words.
#pragma once

#include <optional>
#include <string>

#include "app/input.h"
#include "dump/dump_sink.h"

namespace hm::app {

// Writes the samples of one event, in order of time, as the original's dump. `event`: by its name; it may be
// empty where there is only one. kNotFound; kInvalidArgument where the event has to be named.
Result<uint64_t> export_dump(Input& input, const std::string& event, const dump::DumpOptions& options);

}  // namespace hm::app
