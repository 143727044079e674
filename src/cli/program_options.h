// SPDX-License-Identifier: MIT
// Options that the measuring commands share, and their conversion to the types of app/measure.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "app/measure/options.h"
#include "cli/command_line.h"

namespace hm::cli {

// The options that choose what is measured, as typed.
struct TargetFlags {
  std::vector<int> pids;
  std::vector<int> tids;
  std::string cpus;
  std::string cgroup;
  bool whole_system = false;
  bool user = false;
  bool kernel = false;
  bool no_inherit = false;
  bool tree = false;
  std::string duration;
  std::string budget;  // in the format of measure::parse_percent(); empty: none
};

inline constexpr const char* kReproducibleGroup = "The same counts on every machine (copying engine)";

struct ProgramFlags {
  const CommandLine* line = nullptr;  // its remaining words are the program
  std::vector<std::string> command;   // the program if there is no `line`
  std::vector<std::string> events;
  std::string_view usual_events;  // default, if the user names no events
  std::string pmu = "auto";
  std::string engine = "auto";
  bool no_classes = false;
  bool no_syscall_memory = false;
  uint64_t tlb_cycles = 0;  // 0: not measured
  std::string sizes;        // in the format of measure::parse_sizes(); empty: none
  std::string detail;       // empty: exact for programs, bursts for running processes
  // The command answers first and exactly later: without --detail as auto where possible, and without --as
  // with estimated time.
  bool answers_first = false;
  bool adds_waits = false;  // MeasureOptions::adds_waits, if the user names no events
  soft::BurstPlan bursts;
  uint64_t bursts_per_doubling = 0;  // 0: not given
  bool copies_only = false;
  soft::AbsentFeatures absent{0, 0, ~uint64_t{0}};
  std::string reproducible;  // name of a processor, or "true" for the usual one; empty: not reproducible
  uint64_t seed = 0;
  uint64_t layout = 0;
  std::vector<std::string> variables;  // "NAME=VALUE", or "NAME" of hardmeter's environment
  soft::GuestOptions guest;
  std::string block_trace;      // a file, or "true" for standard error; empty: no trace
  std::string traced_function;  // empty: all functions
  soft::GeometryOptions geometry;
  soft::CollectionLimits limits;
  TargetFlags target;
};

// Adds -e, --pmu, the targets, the modes and the modelled machine. The remaining arguments are the program to
// run.
void add_program_options(CommandLine& line, ProgramFlags& flags);
// Adds the same options as add_program_options(), without other targets and without collection limits.
void add_own_program_options(CommandLine& line, ProgramFlags& flags);
// Fails if the program's name is a number and no program has this name: "-p 12 34" is not "-p 12,34".
[[nodiscard]] Status check_one_list(const std::vector<int>& numbers, const std::vector<std::string>& command);
// Adds -p, -t, -a and the other targets that are already running.
void add_target_options(CommandLine& line, TargetFlags& target);
// Adds --cpu, --l3 and the other parts of the modelled machine.
void add_machine_options(CommandLine& line, soft::GeometryOptions& geometry);
// Adds --engine; engine_named() converts its value.
void add_engine_choice(CommandLine& line, std::string& engine);
[[nodiscard]] soft::EngineWish engine_named(const std::string& word);
// Adds -c, -F, -b, -g and the other contents of a sample.
void add_sampling_options(CommandLine& line, measure::SamplingOptions& options);

// Converts the flags to options. Fails with kInvalidArgument if they are invalid.
[[nodiscard]] Result<measure::MeasureOptions> read_program_options(const ProgramFlags& flags);

// "--cpu help" prints the list of models instead of a measurement.
[[nodiscard]] inline bool wants_cpu_list(const ProgramFlags& flags) { return flags.geometry.cpu == "help"; }
[[nodiscard]] std::string cpu_list();

}  // namespace hm::cli
