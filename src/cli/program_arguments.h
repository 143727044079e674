// SPDX-License-Identifier: MIT
// The words of a command that runs a program: where its own options end and the program's begin.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace hm::cli {

// `words` as CLI11 takes them for a command with prefix_command(): the program begins at the first word that
// is no option or option's value, or behind "--", which goes; an option whose value may be left out gets its
// default written behind it, unless the next word is a value by the option's own validator. Throws
// CLI::ExtrasError for an unknown option.
[[nodiscard]] std::vector<std::string> program_arguments(const CLI::App& command,
                                                         const std::vector<std::string>& words);

}  // namespace hm::cli
