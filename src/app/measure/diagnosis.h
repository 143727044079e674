// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <string>
#include <vector>

namespace hm::measure {

enum class Health {
  kGood,
  kMissing,  // a missing capability; `advice` describes the remedy
  kNote,     // a neutral fact
};

struct Finding {
  std::string subject;  // "valgrind", "hardware PMU"
  Health health = Health::kGood;
  std::string found;    // the observed state, such as the name of an engine
  std::string advice;   // recommended action; empty if none
  bool needed = false;  // `record` does not work without it
};

struct Diagnosis {
  std::vector<Finding> findings;

  [[nodiscard]] bool can_record() const {
    return std::ranges::none_of(
        findings, [](const Finding& each) { return each.needed && each.health == Health::kMissing; });
  }
};

}  // namespace hm::measure
