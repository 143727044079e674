// SPDX-License-Identifier: MIT
#include "cli/commands.h"

#include <array>

namespace hm::cli {
namespace {

constexpr std::array kCommands{
    Command{"run", "record a program, then report: the one to begin with", add_run},
    Command{"record", "run a program and sample its events into a recording", add_record},
    Command{"stat", "run a program and count its events", add_stat},
    Command{"report", "where the samples are: functions, lines, objects, threads", add_report},
    Command{"annotate", "one function's lines and instructions with their samples", add_annotate},
    Command{"explain", "why hot places miss, how they walk through memory, and what to change", add_explain},
    Command{"top", "which functions and lines of running processes miss, and why, while they run", add_top},
    Command{"map", "which parts of a cache a program crowds, when, and with what", add_map},
    Command{"timeline", "which functions ran when, as fine as the recorded branches", add_timeline},
    Command{"llc", "who holds the last-level cache", add_llc},
    Command{"agent", "measure this machine now and then, and send what it sees to a store", add_agent},
    Command{"store", "make, look at and prune a store of many machines' measurements", add_store},
    Command{"ui", "the same in a browser: a page that this machine serves", add_ui},
    Command{"diff", "what changed between two recordings; a gate for CI", add_diff},
    Command{"export", "a recording in other words: the original's text dump", add_export},
    Command{"list", "the events, and what each PMU makes of them", add_list},
    Command{"overhead", "what measuring a program costs it", add_overhead},
    Command{"latency", "what a level of this machine's memory costs", add_latency},
    Command{"calibrate", "measure what cache misses, TLB misses and branches cost on this machine",
            add_calibrate},
    Command{"check", "whether a recording is sane: records, totals, problems", add_check},
    Command{"doctor", "what this machine can measure, and what is missing", add_doctor},
};

}  // namespace

std::span<const Command> all_commands() { return kCommands; }

}  // namespace hm::cli
