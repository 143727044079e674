// SPDX-License-Identifier: MIT
#pragma once

#include <linux/perf_event.h>

#include <cstdint>
#include <string>
#include <vector>

namespace hm::record {

// An event of a recording: what was opened, under which name, and the ids by which samples refer to it (one
// for each CPU or thread it was opened on).
struct EventDescription {
  std::string name;        // empty where the recording does not say
  perf_event_attr attr{};  // perf_event_open(2)
  std::vector<uint64_t> ids;
};

}  // namespace hm::record
