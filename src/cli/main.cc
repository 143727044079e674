// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <exception>
#include <string>
#include <vector>

#include "base/edit_distance.h"
#include "cli/command.h"

namespace hm::cli {
namespace {

constexpr int kFailure = 1;
constexpr int kUsage = 2;

int fail(std::string_view message, int status) {
  fmt::print(stderr, "hardmeter: {}\n", message);
  return status;
}

bool is_command(std::string_view name) {
  return std::ranges::find(all_commands(), name, &Command::name) != all_commands().end();
}

std::string_view nearest_command(std::string_view name) {
  return std::ranges::min_element(all_commands(), {},
                                  [&](const Command& command) { return edit_distance(name, command.name); })
      ->name;
}

int run(int argc, char** argv) {
  CLI::App app{"hardmeter finds where a program misses the cache, says why, and says what to change.",
               "hardmeter"};
  app.set_version_flag("--version", "hardmeter " HM_VERSION);
  app.require_subcommand(1);
  std::vector<std::pair<CLI::App*, Run>> commands;
  for (const Command& command : all_commands()) {
    CLI::App* sub = app.add_subcommand(std::string(command.name), std::string(command.summary));
    commands.emplace_back(sub, command.add(*sub));
  }
  if (argc < 2) {
    fmt::print(stderr, "{}", app.help());
    return kUsage;
  }
  if (std::string_view name = argv[1]; !name.starts_with('-') && !is_command(name)) {
    return fail(fmt::format("there is no command '{}'; did you mean '{}'? (hardmeter --help lists all)", name,
                            nearest_command(name)),
                kUsage);
  }
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return app.exit(error);  // --help, --version
    return fail(fmt::format("{} (see hardmeter {} --help)", error.what(), argv[1]), kUsage);
  }
  auto chosen = std::ranges::find_if(commands, [](const auto& command) { return command.first->parsed(); });
  Result<int> status = chosen->second();
  if (status.ok()) return *status;
  return fail(status.error().message, status.error().code == ErrorCode::kInvalidArgument ? kUsage : kFailure);
}

}  // namespace
}  // namespace hm::cli

int main(int argc, char** argv) {
  try {
    return hm::cli::run(argc, argv);
  } catch (const std::exception& error) {  // out of memory, or a library's
    return hm::cli::fail(error.what(), hm::cli::kFailure);
  }
}
