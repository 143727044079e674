// SPDX-License-Identifier: MIT
#include "cli/documentation/command_text.h"

namespace hm::cli {
namespace {

// "TEXT:{auto,linux,soft}": the words of CLI::IsMember.
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

std::string argument_of(const CLI::Option& option) {
  if (option.get_expected_max() == 0) return {};
  std::string type = option.get_type_name();
  std::string name = type.substr(0, type.find(':'));
  bool is_bound = name.empty() || name.find(' ') != std::string::npos || name == "TEXT";
  return is_bound ? "VALUE" : name;
}

OptionText describe(const CLI::Option& option) {
  OptionText text;
  for (const std::string& name : option.get_snames()) text.names.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) text.names.push_back("--" + name);
  text.argument = argument_of(option);
  text.words = text.argument.empty() ? std::vector<std::string>() : words_in(option.get_type_name());
  if (text.names.empty()) text.argument = option.get_name();
  text.description = option.get_description();
  text.usual = text.argument.empty() ? "" : option.get_default_str();
  text.group = option.get_group();
  return text;
}

}  // namespace

CommandText describe(const CLI::App& app) {
  CommandText text{app.get_name(), app.get_description(), app.get_footer(), app.get_prefix_command(), {}};
  for (const CLI::Option* option : app.get_options()) {
    if (!option->get_group().empty()) text.options.push_back(describe(*option));
  }
  return text;
}

}  // namespace hm::cli
