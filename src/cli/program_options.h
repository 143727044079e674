// SPDX-License-Identifier: MIT
// The options that the commands which measure share, as written on the command line, and what they mean.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/pmu_choice.h"
#include "cli/command_line.h"
#include "event/selection.h"
#include "pmu/linux/intent.h"
#include "pmu/soft/geometry/geometry.h"
#include "pmu/soft/launcher/collection_limits.h"

namespace hm::cli {

struct TargetOptions {
  std::vector<int> pids;
  std::vector<int> tids;
  std::string cpus;
  std::string cgroup;
  bool whole_system = false;
  bool user = false;
  bool kernel = false;
  bool no_inherit = false;
};

struct ProgramOptions {
  const CommandLine* line = nullptr;
  std::vector<std::string> events;
  std::string_view usual_events;  // where the user names none
  std::string pmu = "auto";
  std::string engine = "auto";
  bool no_classes = false;
  bool copies_only = false;
  uint32_t absent_features = 0;
  std::string block_trace;      // where to: a file, or kTraceToStandardError; empty: nowhere
  std::string traced_function;  // empty: all
  soft::GeometryOptions geometry;
  soft::CollectionLimits limits;
  TargetOptions target;
};

struct SamplingOptions {
  std::string period;  // a number, or a time such as 100us; empty: what is usual
  std::optional<uint64_t> frequency_hz;
  bool no_jitter = false;
  std::string branches;  // empty: none
  bool call_chains = false;
  std::string call_graph;  // fp, dwarf[,BYTES] or lbr; empty: none
  bool addresses = false;
  bool physical_addresses = false;
  bool page_sizes = false;
  bool weights = false;
  bool registers = false;
  uint64_t ring_kib = 0;      // 0: what is usual
  uint64_t most_samples = 0;  // 0: no limit
  bool no_heap_blocks = false;
  std::vector<std::string> allocators;
};

// -e, --pmu, which target, which modes, the parts of the modelled machine; and that the rest is the program.
void add_program_options(CommandLine& line, ProgramOptions& options);
// -c, -F, -b, -g and what else a sample can hold.
void add_sampling_options(CommandLine& line, SamplingOptions& options);

// What the words mean, checked; kInvalidArgument for wrong ones.
struct Measurement {
  std::vector<event::Selection> events;
  linux_pmu::Target target;  // the command included
  linux_pmu::Modes modes;
  app::PmuWish wish = app::PmuWish::kAuto;

  [[nodiscard]] bool only_a_command() const {
    return !target.command.empty() && !target.by_cpu() && target.pids.empty() && target.tids.empty();
  }
};
// "soft", "linux" or another word, which stands for auto.
[[nodiscard]] app::PmuWish pmu_wish(const std::string& word);
[[nodiscard]] Result<Measurement> read_program_options(const ProgramOptions& options);
[[nodiscard]] Result<linux_pmu::Sampling> read_sampling_options(const SamplingOptions& options);

// In words: "'ls -l'", "process 17", "CPUs 0-3 while 'sleep 1' runs".
[[nodiscard]] std::string describe(const Measurement& measurement, const ProgramOptions& options);

// "--cpu help" asks for the list instead of a run.
[[nodiscard]] inline bool wants_cpu_list(const ProgramOptions& options) {
  return options.geometry.cpu == "help";
}
[[nodiscard]] std::string cpu_list();

// The status with which a shell would answer to such a failure to run a program: 127 where there is none, 126
// where it cannot be run.
[[nodiscard]] int shell_status(const Error& error);

// That status, and the sentence on standard error, where a command is given and there is no such program;
// nullopt where all is well.
[[nodiscard]] std::optional<int> refuse_missing_program(const std::vector<std::string>& command);

}  // namespace hm::cli
