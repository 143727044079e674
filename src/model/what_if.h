// SPDX-License-Identifier: MIT
// Parts of the outcome that an access would have on other machines (record/extension.h). Freestanding.
#pragma once

#include "model/miss_classes.h"
#include "model/outcome.h"
#include "record/extension.h"

namespace hm::model {

inline void answer(record::WhatIf& what_if, record::WhatIf::Question question, bool hits) {
  what_if.asked |= question;
  if (hits) what_if.would_hit |= question;
}

// Returns true if a prefetched line is still present when it is used, by the class of the miss.
inline bool stays(MissClass l1_class) {
  return l1_class == MissClass::kCompulsory || l1_class == MissClass::kCapacity;
}

// Adds the reuse distance: how many other lines missed between the last miss of the second level and that
// line's previous miss.
inline void add_reuse(record::WhatIf& what_if, const LowerLevelClasses& l2) {
  uint32_t lines = l2.lines_between();
  what_if.reuse_known = 1;
  what_if.reuse_more = lines == RecencyLog::kNotKept ? 1 : 0;
  what_if.reuse_lines = what_if.reuse_more != 0 ? l2.entries() : lines;
}

}  // namespace hm::model
