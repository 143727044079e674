// SPDX-License-Identifier: MIT
// Command line of the original hardmeter: dumps one event of a program or process as text.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"

namespace hm::cli {

struct EbsOptions {
  bool user = false;
  bool kernel = false;
  std::string output = "-";
  uint64_t interval = 0;  // 0: the default of `type`
  uint64_t count = 2000;
  std::string type;
  std::string pmu = "auto";
  std::string budget;  // percent of the process's CPU time; empty: no limit
  std::vector<std::string> command;
  int pid = 0;  // process to measure instead of a command; 0: none
  bool help = false;
  bool version = false;
};

// `words` are the arguments after the program's name. Fails with kInvalidArgument.
[[nodiscard]] Result<EbsOptions> parse_ebs(const std::vector<std::string>& words);

[[nodiscard]] std::string ebs_usage();
// Returns every event with its description, by groups.
[[nodiscard]] std::string ebs_events();

// Returns the exit status of the measured program.
[[nodiscard]] Result<int> run_ebs(const EbsOptions& options);

// Parses, runs, prints errors. Returns the exit status.
[[nodiscard]] int ebs_main(const std::vector<std::string>& words);

}  // namespace hm::cli
