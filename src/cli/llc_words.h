// SPDX-License-Identifier: MIT
// The options of `hardmeter llc`, and what they mean.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "analysis/occupancy/snapshot.h"
#include "app/llc/programs.h"
#include "app/llc/provider_choice.h"
#include "app/llc/row_sources.h"
#include "base/result.h"
#include "cli/command_line.h"

namespace hm::cli {

struct LlcWords {
  const CommandLine* line = nullptr;
  bool batch = false, csv = false, json = false;
  uint64_t times = 0;  // 0: until there is nothing left to measure
  double delay_s = 1;
  std::vector<int> pids;
  std::string vm;
  std::string prometheus;        // where metrics are served; empty: nowhere
  std::vector<std::string> xen;  // numbers, or "all"
  std::string by;
  std::vector<std::string> ways;  // masks, by row
  bool apply = false;
  std::string source = "auto";
  std::string resctrl_root;
  std::string engine = "auto";
  soft::GeometryOptions geometry;
};

void add_llc_options(CommandLine& line, LlcWords& words);

// What is measured, and with what.
struct LlcPlan {
  llc::ProviderOptions provider;
  llc::RowOptions rows;
  llc::ProgramsOptions programs;
  std::vector<uint64_t> ways;      // by program: masks of the cache's ways that each is bounded to
  bool measures_programs = false;  // they are the rows; else one of them says how long
};

// kInvalidArgument for words that do not go together; kNotFound where a process or virtual machine is not
// there.
[[nodiscard]] Result<LlcPlan> read_llc_words(const LlcWords& words);

}  // namespace hm::cli
