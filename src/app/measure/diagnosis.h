// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <string>
#include <vector>

namespace hm::measure {

enum class Health {
  kGood,
  kMissing,  // something cannot be done; the advice says what would help
  kNote,     // neither good nor bad: a fact
};

struct Finding {
  std::string subject;  // "valgrind", "hardware PMU"
  Health health = Health::kGood;
  std::string found;    // what is there
  std::string advice;   // what to do; empty where there is nothing to do
  bool needed = false;  // `record` cannot work without it
};

struct Diagnosis {
  std::vector<Finding> findings;

  [[nodiscard]] bool can_record() const {
    return std::ranges::none_of(
        findings, [](const Finding& each) { return each.needed && each.health == Health::kMissing; });
  }
};

}  // namespace hm::measure
