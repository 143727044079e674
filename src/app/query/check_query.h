// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "analysis/check/recording_check.h"
#include "base/result.h"
#include "record/event.h"

namespace hm::query {

struct Checked {
  analysis::CheckResult result;
  std::vector<record::EventDescription> events;  // events of the recording
};

// Checks the integrity of a recording or a dump; "-" is standard input.
[[nodiscard]] Result<Checked> check(const std::string& input);

}  // namespace hm::query
