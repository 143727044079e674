// SPDX-License-Identifier: MIT
// The texts of --help as data, from which manual pages and completions are generated.
#pragma once

#include <string>
#include <vector>

#include "cli/command_line.h"

namespace hm::cli {

struct OptionText {
  std::vector<std::string> names;  // "-e", "--event"; empty for a positional option
  std::string argument;            // "FILE"; empty for a flag
  std::vector<std::string> words;  // accepted words; empty if any word is accepted
  std::string description;
  std::string usual;  // default value; empty if there is none
  std::string group;
};

struct CommandText {
  std::string name;  // "record", or "hardmeter" for the program itself
  std::string summary;
  std::string footer;
  bool runs_a_program = false;  // its remaining arguments are another command
  std::vector<OptionText> options;
};

// Returns the texts without options that are hidden from --help.
[[nodiscard]] CommandText describe(const CommandLine& line);

// Return the text of a manual page in troff (man(7)). `all` holds the program itself, then its commands.
[[nodiscard]] std::string man_page(const CommandText& command, const std::vector<CommandText>& all);
[[nodiscard]] std::string ebs_man_page();

// Return the completion script of each shell, for hardmeter and ebs.
[[nodiscard]] std::string bash_completion(const std::vector<CommandText>& all);
[[nodiscard]] std::string zsh_completion(const std::vector<CommandText>& all);
[[nodiscard]] std::string fish_completion(const std::vector<CommandText>& all);

}  // namespace hm::cli
