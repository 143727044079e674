// SPDX-License-Identifier: MIT
#include "app/llc/llc_programs.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace hm::llc {

std::vector<WantedRow> program_rows(const std::vector<std::vector<std::string>>& commands,
                                    const std::vector<pid_t>& processes) {
  std::vector<WantedRow> rows;
  for (size_t i = 0; i < processes.size(); ++i) {
    WantedRow row;
    row.key = fmt::format("program {}", i + 1);
    row.name = fmt::format("{}", fmt::join(commands[i], " "));
    row.pid = processes[i];
    row.threads = {processes[i]};
    rows.push_back(std::move(row));
  }
  return rows;
}

Result<std::vector<std::vector<std::string>>> split_commands(const std::vector<std::string>& words) {
  std::vector<std::vector<std::string>> commands(1);
  for (const std::string& word : words) {
    if (word == ",") {
      commands.emplace_back();
    } else {
      commands.back().push_back(word);
    }
  }
  if (std::ranges::any_of(commands, &std::vector<std::string>::empty))
    return make_error(ErrorCode::kInvalidArgument,
                      "no program is given on one side of a comma: write `-- PROGRAM ... , PROGRAM ...`");
  return commands;
}

}  // namespace hm::llc
