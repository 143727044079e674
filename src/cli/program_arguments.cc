// SPDX-License-Identifier: MIT
#include "cli/program_arguments.h"

namespace hm::cli {
namespace {

bool is_option(const std::string& word) { return word.size() > 1 && word[0] == '-'; }

const CLI::Option& option_named(const CLI::App& command, const std::string& name) {
  const CLI::Option* option = command.get_option_no_throw(name);
  if (option == nullptr) throw CLI::ExtrasError(command.get_name(), {name});
  return *option;
}

bool takes_value(const CLI::Option& option) { return option.get_items_expected_max() > 0; }

bool may_lack_value(const CLI::Option& option) { return option.get_items_expected_min() == 0; }

bool accepts(const CLI::Option& option, std::string word) {
  const CLI::Validator* validator = const_cast<CLI::Option&>(option).get_validator(0);
  return (*validator)(word).empty();
}

// The option at the end of the word that still waits for its value: "-c" and "-gc", not "-c1000" or
// "--cpu=x".
const CLI::Option* waiting_option(const CLI::App& command, const std::string& word) {
  if (word.starts_with("--")) {
    size_t equals = word.find('=');
    const CLI::Option& option = option_named(command, word.substr(0, equals));
    return equals == std::string::npos && takes_value(option) ? &option : nullptr;
  }
  for (size_t i = 1; i < word.size(); ++i) {
    const CLI::Option& option = option_named(command, std::string("-") + word[i]);
    if (takes_value(option)) return i + 1 == word.size() ? &option : nullptr;
  }
  return nullptr;
}

}  // namespace

std::vector<std::string> program_arguments(const CLI::App& command, const std::vector<std::string>& words) {
  std::vector<std::string> out;
  size_t i = 0;
  while (i < words.size() && words[i] != "--" && is_option(words[i])) {
    const std::string& word = words[i++];
    out.push_back(word);
    const CLI::Option* option = waiting_option(command, word);
    if (option == nullptr) continue;
    bool next_is_value = i < words.size() && (!may_lack_value(*option) || accepts(*option, words[i]));
    if (next_is_value) {
      out.push_back(words[i++]);
    } else if (may_lack_value(*option)) {
      out.push_back(option->get_default_str());
    }
  }
  if (i < words.size() && words[i] == "--") ++i;
  out.insert(out.end(), words.begin() + static_cast<ptrdiff_t>(i), words.end());
  return out;
}

}  // namespace hm::cli
