// SPDX-License-Identifier: MIT
// The options that the commands which run a program share.
#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>
#include <vector>

#include "app/soft_session.h"

namespace hm::cli {

// As written on the command line.
struct ProgramOptions {
  CLI::App* app = nullptr;
  std::vector<std::string> events;
  std::string pmu = "soft";
  soft::GeometryOptions geometry;
};

struct SamplingOptions {
  uint64_t period = 1000;
  bool no_jitter = false;
  std::string branches;  // empty: none
  bool call_chains = false;
};

// -e, --pmu, --cpu and the other parts of the modelled machine; and that the rest is the program.
void add_program_options(CLI::App& app, ProgramOptions& options);
// -c, --no-jitter, -b, -g
void add_sampling_options(CLI::App& app, SamplingOptions& options);

// What is to be run, checked; kInvalidArgument for wrong words.
[[nodiscard]] Result<app::SoftOptions> soft_options(const ProgramOptions& options);
void take_sampling(const SamplingOptions& sampling, app::SoftOptions& options);

// "--cpu help" asks for the list instead of a run.
[[nodiscard]] inline bool wants_cpu_list(const ProgramOptions& options) {
  return options.geometry.cpu == "help";
}
[[nodiscard]] std::string cpu_list();

// The status with which a shell would answer, and its sentence on standard error, where there is no such
// program (127) or it cannot be run (126); nullopt where it can.
[[nodiscard]] std::optional<int> refuse_program(const std::string& program);

}  // namespace hm::cli
