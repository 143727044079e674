// SPDX-License-Identifier: MIT
#pragma once

#include <linux/perf_event.h>

#include <cstdint>
#include <string>
#include <vector>

namespace hm::record {

// An event of a recording: its name, its attr, and the ids by which samples refer to it. An event has one id
// for each CPU or thread on which it was opened.
struct EventDescription {
  std::string name;        // empty if it is not recorded
  perf_event_attr attr{};  // perf_event_open(2)
  std::vector<uint64_t> ids;
};

}  // namespace hm::record
