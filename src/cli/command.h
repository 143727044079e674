// SPDX-License-Identifier: MIT
// A command is a file that adds its options and the function to run. The list of commands is in commands.cc.
#pragma once

#include <functional>
#include <span>
#include <string_view>

#include "base/result.h"
#include "cli/command_line.h"

namespace hm::cli {

// Returns the exit status of the program.
using Run = std::function<Result<int>()>;

struct Command {
  std::string_view name;
  std::string_view question;  // what the command answers; commands with the same one are listed together
  std::string_view summary;   // one line, for --help
  // Adds the options; returns the function to call if the user chose the command.
  Run (*add)(CommandLine& line);
};

[[nodiscard]] std::span<const Command> all_commands();

}  // namespace hm::cli
