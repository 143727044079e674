// SPDX-License-Identifier: MIT
// Result of looking up names for code that no agent could name.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace hm::fleet {

struct Naming {
  uint64_t places = 0;   // unnamed places that were looked up
  uint64_t unnamed = 0;  // looked-up places that remain unnamed
  bool more = false;     // there were more places than were looked up
  bool queries_servers =
      false;  // true: debuginfod servers were queried too; false: only folders of this machine
  std::vector<std::string> unknown;   // builds without a debug file
  std::vector<std::string> problems;  // failed queries and reads, one sentence each
};

}  // namespace hm::fleet
