// SPDX-License-Identifier: MIT
#pragma once

#include <set>
#include <string>

#include "record/event.h"

namespace hm::profile {

// Assigns unique names to a recording's events: the recorded name, else perf's name for the attr. A name that
// has been used before gets the suffix "#2", "#3", ...
class EventNames {
 public:
  [[nodiscard]] std::string name_of(const record::EventDescription& event);

 private:
  std::set<std::string> taken_;
};

}  // namespace hm::profile
