// SPDX-License-Identifier: MIT
// The program with all its commands and their options, before the command line is parsed.
#pragma once

#include <memory>
#include <vector>

#include "cli/command.h"

namespace hm::cli {

struct PreparedCommand {
  CommandLine* line;
  Run run;
};

struct Application {
  std::unique_ptr<CommandLine> line;
  std::vector<PreparedCommand> commands;  // all commands, with their options
};

[[nodiscard]] Application prepare();

}  // namespace hm::cli
