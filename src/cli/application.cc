// SPDX-License-Identifier: MIT
#include "cli/application.h"

namespace hm::cli {
namespace {

constexpr const char* kQuestions =
    "From the question to the command:\n"
    "  Is memory the problem? Where?          hardmeter run PROGRAM\n"
    "  Which line misses, and on which data?  hardmeter record PROGRAM; hardmeter explain\n"
    "  Do threads fight over a line?          hardmeter run --detail exact PROGRAM (false sharing)\n"
    "  What does a server wait for now?       hardmeter top -p PID\n"
    "  Would huge pages help?                 hardmeter explain -e dtlb_load_miss\n"
    "  Is there a noisy neighbour?            hardmeter latency --watch; hardmeter llc\n"
    "  Did it get worse?                      hardmeter diff BEFORE AFTER\n"
    "  May this change go in?                 hardmeter ci";

}  // namespace

Application prepare() {
  auto line = std::make_unique<CommandLine>(
      "hardmeter", "hardmeter finds where a program misses the cache, why, and what to change.");
  line->answer_version("hardmeter " HM_VERSION);
  line->require_command();
  line->set_footer(kQuestions);
  std::vector<PreparedCommand> commands;
  for (const Command& command : all_commands()) {
    CommandLine& own = line->add_command(std::string(command.name), std::string(command.summary),
                                         std::string(command.question));
    commands.push_back({&own, command.add(own)});
  }
  return {std::move(line), std::move(commands)};
}

}  // namespace hm::cli
