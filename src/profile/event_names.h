// SPDX-License-Identifier: MIT
#pragma once

#include <set>
#include <string>

#include "record/event.h"

namespace hm::profile {

// Names that tell a recording's events apart: the recorded one, else what the attr says, as perf calls it;
// "#2" behind one that was there before.
class EventNames {
 public:
  [[nodiscard]] std::string name_of(const record::EventDescription& event);

 private:
  std::set<std::string> taken_;
};

}  // namespace hm::profile
