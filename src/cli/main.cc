// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <exception>
#include <string>
#include <vector>

#include "base/edit_distance.h"
#include "cli/application.h"
#include "cli/interrupts.h"
#include "cli/output.h"
#include "cli/program_arguments.h"
#include "pmu/linux/kernel.h"

namespace hm::cli {
namespace {

constexpr int kFailure = 1;
constexpr int kUsage = 2;

bool is_command(std::string_view name) {
  return std::ranges::find(all_commands(), name, &Command::name) != all_commands().end();
}

std::string_view nearest_command(std::string_view name) {
  return std::ranges::min_element(all_commands(), {},
                                  [&](const Command& command) { return edit_distance(name, command.name); })
      ->name;
}

// Of a command that runs a program, with an end to its own words.
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

// What --help or --version answers, or nothing where a command was chosen.
Result<std::string> parse(const Application& application, const std::vector<std::string>& words) {
  Result<std::vector<std::string>> own = own_words(application.commands, words);
  if (!own) return own.error();
  return application.line->parse(*std::move(own));
}

int answer(const std::string& text) {
  Status written = write_output(text);
  return written ? 0 : fail(written.error().message, kFailure);
}

int run(int argc, char** argv) {
  Application application = prepare();
  if (argc < 2) {
    write_message(application.line->help());
    return kUsage;
  }
  if (std::string_view name = argv[1]; !name.starts_with('-') && !is_command(name)) {
    return fail(fmt::format("there is no command '{}'; did you mean '{}'? (hardmeter --help lists all)", name,
                            nearest_command(name)),
                kUsage);
  }
  Result<std::string> answered = parse(application, {argv + 1, argv + argc});
  if (!answered)
    return fail(fmt::format("{} (see hardmeter {} --help)", answered.error().message, argv[1]), kUsage);
  if (!answered->empty()) return answer(*answered);
  auto chosen = std::ranges::find_if(application.commands,
                                     [](const PreparedCommand& each) { return each.line->chosen(); });
  Result<int> status = chosen->run();
  if (status.ok()) return *status;
  return fail(status.error().message, status.error().code == ErrorCode::kInvalidArgument ? kUsage : kFailure);
}

}  // namespace
}  // namespace hm::cli

int main(int argc, char** argv) {
  hm::cli::survive_closed_pipes();
  hm::linux_pmu::allow_more_files();
  try {
    return hm::cli::run(argc, argv);
  } catch (const std::exception& error) {  // out of memory, or a library's
    return hm::cli::fail(error.what(), hm::cli::kFailure);
  }
}
