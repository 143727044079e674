// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <cstdio>
#include <exception>
#include <optional>
#include <string>
#include <vector>

#include "base/edit_distance.h"
#include "base/unexpected_error.h"
#include "cli/application.h"
#include "cli/ebs.h"
#include "cli/interrupts.h"
#include "cli/output.h"
#include "pmu/linux/kernel.h"

namespace hm::cli {
namespace {

constexpr int kFailure = 1;
constexpr int kUsage = 2;

bool is_command(std::string_view name) {
  return std::ranges::find(all_commands(), name, &Command::name) != all_commands().end();
}

std::string unknown_command(const std::string& name) {
  NearestWord nearest(name, name.size() / 2 + 1);
  for (const Command& command : all_commands()) nearest.consider(command.name);
  nearest.consider("help");
  std::string meant = nearest.found().empty() ? "" : fmt::format("; did you mean '{}'?", nearest.found());
  return fmt::format("unknown command '{}'{} (hardmeter --help lists all)", name, meant);
}

bool is_option(const std::string& word) { return word.size() > 1 && word[0] == '-'; }

// Returns the option at the end of the word that still needs a value: "-c" and "-gc", but not "-c1000" or
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

// Prepares `words` of a command that takes a program. The program begins at the first word that is neither an
// option nor its value, or after "--", which is removed. An option with an optional value gets its default
// inserted, unless the option's own check accepts the next word. Fails with kInvalidArgument for an unknown
// option.
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

// Returns the words with a separator before the program, if the command runs a program.
Result<std::vector<std::string>> own_words(const std::vector<PreparedCommand>& commands,
                                           std::vector<std::string> words) {
  auto named = std::ranges::find(commands, words.front(),
                                 [](const PreparedCommand& each) { return each.line->name(); });
  if (named == commands.end() || !named->line->takes_program()) return words;
  Result<std::vector<std::string>> rest = program_arguments(*named->line, {words.begin() + 1, words.end()});
  if (!rest) return rest.error();
  words.resize(1);
  words.insert(words.end(), rest->begin(), rest->end());
  return words;
}

// Returns the output of --help or --version, or an empty string if a command was chosen.
Result<std::string> parse(const Application& application, const std::vector<std::string>& words) {
  Result<std::vector<std::string>> own = own_words(application.commands, words);
  if (!own) return own.error();
  return application.line->parse(*std::move(own));
}

int answer(const std::string& text) {
  Status written = write_output(text);
  return written ? 0 : fail(written.error().message, kFailure);
}

// Returns why the stack is too small for any command; nullopt if it suffices.
std::optional<std::string> stack_shortage() {
  constexpr rlim_t kNeeded = rlim_t{512} << 10;
  rlimit limit{};
  if (::getrlimit(RLIMIT_STACK, &limit) != 0 || limit.rlim_cur >= kNeeded) return std::nullopt;
  return fmt::format(
      "the stack may have {} KiB at most (ulimit -s), and hardmeter needs {} KiB: raise the limit",
      limit.rlim_cur >> 10, kNeeded >> 10);
}

int run(std::vector<std::string> words) {
  Application application = prepare();
  if (words.empty()) {
    write_message(application.line->help());
    return kUsage;
  }
  // Accepts "help" and "help COMMAND", like git.
  if (words[0] == "help") {
    words.erase(words.begin());
    words.emplace_back("--help");
  }
  if (const std::string& name = words[0]; !name.starts_with('-') && !is_command(name)) {
    return fail(unknown_command(name), kUsage);
  }
  Result<std::string> answered = parse(application, words);
  if (!answered)
    return fail(fmt::format("{} (see hardmeter {} --help)", answered.error().message, words[0]), kUsage);
  if (!answered->empty()) return answer(*answered);
  auto chosen = std::ranges::find_if(application.commands,
                                     [](const PreparedCommand& each) { return each.line->chosen(); });
  Result<int> status = chosen->run();
  if (status.ok()) return *status;
  return fail(status.error().message, status.error().code == ErrorCode::kInvalidArgument ? kUsage : kFailure);
}

// Whether the program was started as `ebs`, a link to it.
bool is_ebs(std::string_view path) { return path.substr(path.rfind('/') + 1) == "ebs"; }

}  // namespace
}  // namespace hm::cli

int main(int argc, char** argv) {
  hm::cli::survive_failed_writes();
  hm::linux_pmu::allow_more_files();
  if (auto shortage = hm::cli::stack_shortage()) return hm::cli::fail(*shortage, hm::cli::kFailure);
  try {
    std::vector<std::string> words(argv + std::min(argc, 1), argv + argc);
    return argc > 0 && hm::cli::is_ebs(argv[0]) ? hm::cli::ebs_main(words) : hm::cli::run(std::move(words));
  } catch (const std::exception& exception) {
    return hm::cli::fail(hm::unexpected_error(exception).message, hm::cli::kFailure);
  }
}
