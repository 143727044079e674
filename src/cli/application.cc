// SPDX-License-Identifier: MIT
#include "cli/application.h"

namespace hm::cli {

Application prepare() {
  auto line = std::make_unique<CommandLine>(
      "hardmeter", "hardmeter finds where a program misses the cache, says why, and says what to change.");
  line->answer_version("hardmeter " HM_VERSION);
  line->require_command();
  std::vector<PreparedCommand> commands;
  for (const Command& command : all_commands()) {
    CommandLine& own = line->add_command(std::string(command.name), std::string(command.summary));
    commands.push_back({&own, command.add(own)});
  }
  return {std::move(line), std::move(commands)};
}

}  // namespace hm::cli
