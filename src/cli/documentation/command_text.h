// SPDX-License-Identifier: MIT
// What --help knows, as data: manual pages and completions are made of the same.
#pragma once

#include <string>
#include <vector>

#include "cli/command_line.h"

namespace hm::cli {

struct OptionText {
  std::vector<std::string> names;  // "-e", "--event"; empty for a positional one
  std::string argument;            // "FILE"; empty for a flag
  std::vector<std::string> words;  // that it takes, where there are only these
  std::string description;
  std::string usual;  // its default; empty where there is none
  std::string group;
};

struct CommandText {
  std::string name;  // "record"; of the program itself "hardmeter"
  std::string summary;
  std::string footer;
  bool runs_a_program = false;  // the rest of its words is another command
  std::vector<OptionText> options;
};

// Without what is hidden from --help.
[[nodiscard]] CommandText describe(const CommandLine& line);

// troff, for man(1): man(7). `all`: the program itself, then its commands.
[[nodiscard]] std::string man_page(const CommandText& command, const std::vector<CommandText>& all);
[[nodiscard]] std::string ebs_man_page();

// Source text for each shell, of hardmeter and ebs.
[[nodiscard]] std::string bash_completion(const std::vector<CommandText>& all);
[[nodiscard]] std::string zsh_completion(const std::vector<CommandText>& all);
[[nodiscard]] std::string fish_completion(const std::vector<CommandText>& all);

}  // namespace hm::cli
