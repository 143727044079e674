// SPDX-License-Identifier: MIT
// What became of code that no agent could name when its names were looked for.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace hm::fleet {

struct Naming {
  uint64_t places = 0;                // without a name, that were looked for
  uint64_t unnamed = 0;               // of these, those that still have none
  bool more = false;                  // there were more than were looked for
  bool asks_servers = false;          // of debug files; else only this machine's folders were looked into
  std::vector<std::string> unknown;   // builds without a debug file
  std::vector<std::string> problems;  // what could not be asked or read, a sentence each
};

}  // namespace hm::fleet
