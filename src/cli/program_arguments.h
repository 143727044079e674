// SPDX-License-Identifier: MIT
// The words of a command that runs a program: where its own options end and the program's begin.
#pragma once

#include <string>
#include <vector>

#include "cli/command_line.h"

namespace hm::cli {

// `words` as a command's that takes a program are parsed: the program begins at the first word that is no
// option or option's value, or behind "--", which goes; an option whose value may be left out gets its
// default written behind it, unless the next word is a value by the option's own check. kInvalidArgument for
// an unknown option.
[[nodiscard]] Result<std::vector<std::string>> program_arguments(const CommandLine& command,
                                                                 const std::vector<std::string>& words);

}  // namespace hm::cli
