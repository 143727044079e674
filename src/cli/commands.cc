// SPDX-License-Identifier: MIT
#include "cli/commands.h"

#include <array>

namespace hm::cli {
namespace {

constexpr std::array kCommands{
    Command{"report", "where the samples are: functions, lines, objects, threads", add_report},
    Command{"annotate", "one function's lines and instructions with their samples", add_annotate},
    Command{"list", "the events, and what each PMU makes of them", add_list},
    Command{"check", "whether a recording is sane: records, totals, problems", add_check},
};

}  // namespace

std::span<const Command> all_commands() { return kCommands; }

}  // namespace hm::cli
