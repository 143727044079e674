// SPDX-License-Identifier: MIT
#include "cli/application.h"

namespace hm::cli {

std::vector<PreparedCommand> prepare(CLI::App& app) {
  app.name("hardmeter");
  app.description("hardmeter finds where a program misses the cache, says why, and says what to change.");
  app.set_version_flag("--version", "hardmeter " HM_VERSION);
  app.require_subcommand(1);
  std::vector<PreparedCommand> commands;
  for (const Command& command : all_commands()) {
    CLI::App* sub = app.add_subcommand(std::string(command.name), std::string(command.summary));
    commands.push_back({sub, command.add(*sub)});
  }
  return commands;
}

}  // namespace hm::cli
