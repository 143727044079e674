// SPDX-License-Identifier: MIT
// The command line of the original hardmeter: one event of a program or process, dumped as text.
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
  uint64_t interval = 0;  // 0: the usual one of `type`
  uint64_t count = 2000;
  std::string type;
  std::string pmu = "auto";
  std::string budget;  // percent of the process's CPU time; empty: no limit
  std::vector<std::string> command;
  int pid = 0;  // instead of a command; 0: none
  bool help = false;
  bool version = false;
};

// `words`: those behind the program's name. kInvalidArgument.
[[nodiscard]] Result<EbsOptions> parse_ebs(const std::vector<std::string>& words);

[[nodiscard]] std::string ebs_usage();
// Every event with its description, by groups.
[[nodiscard]] std::string ebs_events();

// Gives the exit status: the program's own.
[[nodiscard]] Result<int> run_ebs(const EbsOptions& options);

}  // namespace hm::cli
