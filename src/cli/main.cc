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

// As App::parse takes them.
std::vector<std::string> reversed_words(const std::vector<PreparedCommand>& commands,
                                        std::vector<std::string> words) {
  auto named = std::ranges::find(commands, words.front(),
                                 [](const PreparedCommand& each) { return each.app->get_name(); });
  if (named != commands.end() && named->app->get_prefix_command()) {
    std::vector<std::string> rest = program_arguments(*named->app, {words.begin() + 1, words.end()});
    words.resize(1);
    words.insert(words.end(), rest.begin(), rest.end());
  }
  std::ranges::reverse(words);
  return words;
}

int run(int argc, char** argv) {
  CLI::App app;
  std::vector<PreparedCommand> commands = prepare(app);
  if (argc < 2) {
    write_message(app.help());
    return kUsage;
  }
  if (std::string_view name = argv[1]; !name.starts_with('-') && !is_command(name)) {
    return fail(fmt::format("there is no command '{}'; did you mean '{}'? (hardmeter --help lists all)", name,
                            nearest_command(name)),
                kUsage);
  }
  try {
    app.parse(reversed_words(commands, {argv + 1, argv + argc}));
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return app.exit(error);  // --help, --version
    return fail(fmt::format("{} (see hardmeter {} --help)", error.what(), argv[1]), kUsage);
  }
  auto chosen =
      std::ranges::find_if(commands, [](const PreparedCommand& each) { return each.app->parsed(); });
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
