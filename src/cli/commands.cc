// SPDX-License-Identifier: MIT
#include "cli/commands.h"

#include <array>

namespace hm::cli {
namespace {

constexpr std::string_view kWhy = "Does memory slow a program down? Where, why, and what to change";
constexpr std::string_view kReading = "What does a recording show";
constexpr std::string_view kCaches = "Who fills the caches? Does a neighbour slow the program down";
constexpr std::string_view kWorse = "Did it get worse";
constexpr std::string_view kFleet = "What do many machines do over weeks";
constexpr std::string_view kAssistants = "How do assistants and editors use it";
constexpr std::string_view kMachine = "What can be measured here, and at what cost";

constexpr std::array kCommands{
    Command{"run", kWhy, "record a program, then report: start here", add_run},
    Command{"top", kWhy, "which functions and lines of running processes miss, and why, live", add_top},
    Command{"stat", kWhy, "run a program and count its events", add_stat},
    Command{"record", kWhy, "run a program and sample its events into a recording", add_record},
    Command{"explain", kReading,
            "why hot places miss, which threads fight over a line (false sharing), and what to change",
            add_explain},
    Command{"report", kReading, "where the samples are: functions, lines, objects, threads", add_report},
    Command{"annotate", kReading, "one function's lines and instructions with their samples", add_annotate},
    Command{"timeline", kReading, "which functions ran when, at the resolution of the recorded branches",
            add_timeline},
    Command{"ui", kReading, "all of this in a browser", add_ui},
    Command{"export", kReading, "convert a recording to the formats of other tools", add_export},
    Command{"archive", kReading,
            "one file of a recording and the files that name its samples, for other machines", add_archive},
    Command{"check", kReading, "check a recording: records, totals, problems", add_check},
    Command{"map", kCaches, "which sets of a cache are crowded, when, and by which data", add_map},
    Command{"llc", kCaches, "who holds the last-level cache", add_llc},
    Command{"latency", kCaches, "latency of this machine's caches and memory; --watch shows noisy neighbours",
            add_latency},
    Command{"diff", kWorse, "what changed between two recordings; a gate for CI", add_diff},
    Command{"ci", kWorse, "measure the commands of hardmeter.toml, and compare them with their baselines",
            add_ci},
    Command{"agent", kFleet, "measure this machine periodically, and send the results to a store", add_agent},
    Command{"store", kFleet, "create, inspect and prune a store of many machines' measurements", add_store},
    Command{"mcp", kAssistants,
            "serve an assistant: the Model Context Protocol over standard input and output", add_mcp},
    Command{"lsp", kAssistants,
            "show a recording at its source lines, in any editor with the Language Server Protocol", add_lsp},
    Command{"doctor", kMachine, "what this machine can measure, and what is missing", add_doctor},
    Command{"list", kMachine, "the events, and their counterparts on each PMU", add_list},
    Command{"calibrate", kMachine,
            "measure the costs of cache misses, TLB misses and branches on this machine", add_calibrate},
    Command{"overhead", kMachine, "measure how much measuring slows a program down", add_overhead},
};

}  // namespace

std::span<const Command> all_commands() { return kCommands; }

}  // namespace hm::cli
