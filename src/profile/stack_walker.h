// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "profile/address_cache.h"
#include "profile/frame_rule_table.h"
#include "profile/process_table.h"
#include "record/sample.h"

namespace hm::profile {

// Finds the callers in user space of samples that hold a copy of the stack (symbol/unwind/unwind.h).
class StackWalker {
 public:
  explicit StackWalker(const FrameRuleTable& rules) : rules_(rules) {}

  // Appends the places, innermost first: nothing where the sample lacks the registers of 64-bit code.
  void walk(const NumberedSpace& space, const record::Sample& sample, std::vector<uint64_t>& places);

 private:
  [[nodiscard]] const symbol::FrameRule* rule_at(const NumberedSpace& space, uint64_t address);

  const FrameRuleTable& rules_;
  AddressCache<const symbol::FrameRule*> known_;
};

}  // namespace hm::profile
