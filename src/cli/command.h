// SPDX-License-Identifier: MIT
// A command is a file: it adds its options and says what to run. The list of them is in commands.cc.
#pragma once

#include <functional>
#include <span>
#include <string_view>

#include "base/result.h"
#include "cli/command_line.h"

namespace hm::cli {

// Gives the exit status of the program.
using Run = std::function<Result<int>()>;

struct Command {
  std::string_view name;
  std::string_view summary;       // one line, for --help
  Run (*add)(CommandLine& line);  // adds the options; the result is called if the user chose the command
};

[[nodiscard]] std::span<const Command> all_commands();

}  // namespace hm::cli
