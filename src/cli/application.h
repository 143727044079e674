// SPDX-License-Identifier: MIT
// The program with all its commands, before any word of the user is looked at.
#pragma once

#include <vector>

#include "cli/command.h"

namespace hm::cli {

struct PreparedCommand {
  CLI::App* app;
  Run run;
};

// Adds every command to `app`, with its options.
[[nodiscard]] std::vector<PreparedCommand> prepare(CLI::App& app);

}  // namespace hm::cli
