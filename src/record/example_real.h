// SPDX-License-Identifier: MIT
// For tests: a folder of real recordings outside this project, named by HARDMETER_PERFDATA. Its expected.json
// holds the counts of an independent decoder for each recording.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "base/json.h"
#include "support/paths.h"

namespace hm::record::example {

inline std::filesystem::path real_recordings() {
  const char* set = std::getenv("HARDMETER_PERFDATA");
  return set != nullptr ? std::filesystem::path(set)
                        : std::filesystem::path(test_paths::kSource) / "../shared/perfdata";
}

// Returns an empty string if there is no such folder.
inline nlohmann::json expected_of_real_recordings() {
  std::ifstream list(real_recordings() / "expected.json");
  return list ? nlohmann::json::parse(list) : nlohmann::json::array();
}

inline std::string why_no_real_recordings() {
  return "no real recording was read: missing folder " + (real_recordings() / "expected.json").string() +
         "; set HARDMETER_PERFDATA to a folder that has one";
}

}  // namespace hm::record::example
