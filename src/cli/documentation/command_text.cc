// SPDX-License-Identifier: MIT
#include "cli/documentation/command_text.h"

#include <algorithm>

namespace hm::cli {
namespace {

// Returns the accepted words of a type such as "TEXT:{auto,linux,soft}".
std::vector<std::string> words_in(std::string_view type) {
  size_t open = type.find('{'), close = type.find('}');
  if (open == std::string_view::npos || close == std::string_view::npos || close < open) return {};
  std::vector<std::string> words;
  std::string_view list = type.substr(open + 1, close - open - 1);
  while (!list.empty()) {
    size_t size = std::min(list.find(','), list.size());
    words.emplace_back(list.substr(0, size));
    list.remove_prefix(std::min(size + 1, list.size()));
  }
  return words;
}

std::string argument_of(const Option& option) {
  if (!option.takes_value()) return {};
  std::string type = option.type_text();
  std::string name = type.substr(0, type.find(':'));
  bool is_bound = name.empty() || name.find(' ') != std::string::npos || name == "TEXT";
  return is_bound ? "VALUE" : name;
}

OptionText describe(const Option& option) {
  OptionText text;
  text.names = option.names();
  text.argument = argument_of(option);
  text.words = text.argument.empty() ? std::vector<std::string>() : words_in(option.type_text());
  if (text.names.empty()) text.argument = option.positional_name();
  text.description = option.description();
  text.usual = text.argument.empty() ? "" : option.default_text();
  text.group = option.group_name();
  return text;
}

}  // namespace

CommandText describe(const CommandLine& line) {
  CommandText text{line.name(), line.summary(), line.footer(), line.takes_program(), {}};
  for (const Option& option : line.options()) {
    if (!option.is_hidden()) text.options.push_back(describe(option));
  }
  return text;
}

}  // namespace hm::cli
