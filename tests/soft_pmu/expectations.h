// SPDX-License-Identifier: MIT
// Directives in the comment of a test program:
//   // needs FLAG...                      only on a processor with these flags (/proc/cpuinfo)
//   // engine NAME                        only with this engine
//   // machine OPTION...                  begins a case: the modelled machine
//   // every N                            the case's sampling period without jitter (default: 7)
//   // expect EVENT COUNT [at LABEL...]   the exact count; all events are at these labels
// Two blanks end the list of labels.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "running.h"

namespace hm::soft_pmu_test {

struct Expectation {
  std::string event;
  uint64_t count = 0;
  Words labels;  // empty: anywhere
};

struct Case {
  Words machine;
  uint64_t period = 7;
  std::vector<Expectation> expectations;
};

struct ProgramComment {
  Words needs;
  std::string engine;  // empty: any
  std::vector<Case> cases;
};

ProgramComment read_comment(const std::string& source_path);

}  // namespace hm::soft_pmu_test
