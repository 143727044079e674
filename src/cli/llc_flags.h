// SPDX-License-Identifier: MIT
// The options of `hardmeter llc` and their interpretation.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "analysis/occupancy/snapshot.h"
#include "app/llc/llc_programs.h"
#include "app/llc/provider_choice.h"
#include "app/llc/row_sources.h"
#include "base/result.h"
#include "cli/command_line.h"

namespace hm::cli {

// The options as typed.
struct LlcFlags {
  const CommandLine* line = nullptr;
  bool batch = false, csv = false, json = false;
  uint64_t times = 0;  // 0: until there is nothing left to measure
  double delay_s = 1;
  std::vector<int> pids;
  std::string vm;
  std::string prometheus;        // address where metrics are served; empty: not served
  std::vector<std::string> xen;  // numbers, or "all"
  std::string by;
  std::vector<std::string> ways;  // masks, by row
  bool apply = false;
  std::string source = "auto";
  std::string resctrl_root;
  std::string engine = "auto";
  soft::GeometryOptions geometry;
};

void add_llc_options(CommandLine& line, LlcFlags& flags);

// What to measure, and the source of the measurement.
struct LlcPlan {
  llc::ProviderOptions provider;
  llc::RowOptions rows;
  llc::ProgramsOptions programs;
  std::vector<uint64_t> ways;      // by program: mask of the cache ways that it is limited to
  bool measures_programs = false;  // the programs are the rows; else a program only sets the duration
};

// Fails with kInvalidArgument if options exclude each other, with kNotFound if a process or virtual machine
// does not exist.
[[nodiscard]] Result<LlcPlan> read_llc_flags(const LlcFlags& flags);

}  // namespace hm::cli
