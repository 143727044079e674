// SPDX-License-Identifier: MIT
#include "cli/program_arguments.h"

#include <optional>

namespace hm::cli {
namespace {

bool is_option(const std::string& word) { return word.size() > 1 && word[0] == '-'; }

// The option at the end of the word that still waits for its value: "-c" and "-gc", not "-c1000" or
// "--cpu=x".
Result<std::optional<Option>> waiting_option(const CommandLine& command, const std::string& word) {
  if (word.starts_with("--")) {
    size_t equals = word.find('=');
    Result<Option> option = command.find_option(word.substr(0, equals));
    if (!option) return option.error();
    return equals == std::string::npos && option->takes_value() ? std::optional(*option) : std::nullopt;
  }
  for (size_t i = 1; i < word.size(); ++i) {
    Result<Option> option = command.find_option(std::string("-") + word[i]);
    if (!option) return option.error();
    if (option->takes_value()) return i + 1 == word.size() ? std::optional(*option) : std::nullopt;
  }
  return std::optional<Option>();
}

}  // namespace

Result<std::vector<std::string>> program_arguments(const CommandLine& command,
                                                   const std::vector<std::string>& words) {
  std::vector<std::string> out;
  size_t i = 0;
  while (i < words.size() && words[i] != "--" && is_option(words[i])) {
    const std::string& word = words[i++];
    out.push_back(word);
    Result<std::optional<Option>> waiting = waiting_option(command, word);
    if (!waiting) return waiting.error();
    if (!*waiting) continue;
    const Option& option = **waiting;
    bool next_is_value = i < words.size() && (!option.may_lack_value() || option.accepts(words[i]));
    if (next_is_value) {
      out.push_back(words[i++]);
    } else if (option.may_lack_value()) {
      out.push_back(option.default_text());
    }
  }
  if (i < words.size() && words[i] == "--") ++i;
  out.insert(out.end(), words.begin() + static_cast<ptrdiff_t>(i), words.end());
  return out;
}

}  // namespace hm::cli
