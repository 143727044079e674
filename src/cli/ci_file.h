// SPDX-License-Identifier: MIT
// The settings of `hardmeter ci`: hardmeter.toml.
//
//   baselines = "hardmeter-baselines"   # folder
//   cpu = "zen4"                        # a setting for all commands that do not have it themselves
//   [[command]]
//   name = "table"
//   run = ["./table", "100"]
//   fail-above = ["l1_cache_miss:5%"]
#pragma once

#include <string>
#include <vector>

#include "app/gate/gate.h"
#include "base/result.h"

namespace hm::cli {

// Returns the commands in their order; there is at least one, and their names differ. `baselines` replaces
// the folder of the file, unless it is empty. Fails with kInvalidArgument, the file and the reason.
[[nodiscard]] Result<std::vector<gate::Command>> read_ci_file(const std::string& path,
                                                              const std::string& baselines);

}  // namespace hm::cli
