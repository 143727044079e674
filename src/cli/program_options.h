// SPDX-License-Identifier: MIT
// The options that the commands which measure share: from words to what app/measure takes.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "app/measure/options.h"
#include "cli/command_line.h"

namespace hm::cli {

struct TargetWords {
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
  std::string budget;  // as measure::parse_percent() reads it; empty: none
};

struct ProgramWords {
  const CommandLine* line = nullptr;
  std::vector<std::string> events;
  std::string_view usual_events;  // where the user names none
  std::string pmu = "auto";
  std::string engine = "auto";
  bool no_classes = false;
  uint64_t tlb_cycles = 0;  // 0: not wanted
  std::string sizes;        // as measure::parse_sizes() reads them; empty: none
  std::string detail;       // empty: exact of programs, bursts of running processes
  soft::BurstPlan bursts;
  bool copies_only = false;
  soft::AbsentFeatures absent{0, 0, ~uint64_t{0}};
  std::string block_trace;      // where to: a file, or "true", which is standard error; empty: nowhere
  std::string traced_function;  // empty: all
  soft::GeometryOptions geometry;
  soft::CollectionLimits limits;
  TargetWords target;
};

// -e, --pmu, which target, which modes, the parts of the modelled machine; and that the rest is the program.
void add_program_options(CommandLine& line, ProgramWords& words);
// The same without targets beside the program, and without limits of what is collected.
void add_own_program_options(CommandLine& line, ProgramWords& words);
// -p, -t, -a and the other targets that run already.
void add_target_options(CommandLine& line, TargetWords& target);
// --cpu, --l3 and the other parts of the modelled machine.
void add_machine_options(CommandLine& line, soft::GeometryOptions& geometry);
// --engine, and what its word means.
void add_engine_choice(CommandLine& line, std::string& engine);
[[nodiscard]] soft::EngineWish engine_named(const std::string& word);
// -c, -F, -b, -g and what else a sample can hold.
void add_sampling_options(CommandLine& line, measure::SamplingOptions& options);

// What the words mean; kInvalidArgument for wrong ones.
[[nodiscard]] Result<measure::MeasureOptions> read_program_options(const ProgramWords& words);

// "--cpu help" asks for the list instead of a run.
[[nodiscard]] inline bool wants_cpu_list(const ProgramWords& words) { return words.geometry.cpu == "help"; }
[[nodiscard]] std::string cpu_list();

}  // namespace hm::cli
