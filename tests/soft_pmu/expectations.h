// SPDX-License-Identifier: MIT
// What a test program says of itself in its comment:
//   // needs FLAG...                      only on a processor with these flags (/proc/cpuinfo)
//   // machine OPTION...                  begins a case: the modelled machine
//   // every N                            the period at which the case is sampled without jitter (7
//   otherwise)
//   // expect EVENT COUNT [at LABEL...]   exactly so many; each at one of these labels; two blanks end the
//   list
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
  std::vector<Case> cases;
};

ProgramComment read_comment(const std::string& source_path);

}  // namespace hm::soft_pmu_test
