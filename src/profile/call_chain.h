// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "profile/address_cache.h"
#include "profile/frame_rule_table.h"
#include "profile/process_table.h"
#include "profile/segment.h"
#include "record/sample.h"

namespace hm::profile {

enum class Mode : uint8_t { kUser, kKernel, kElsewhere };  // the last is a hypervisor's or a guest's

struct CodeAddress {
  Mode mode = Mode::kElsewhere;
  uint64_t address = 0;
};

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

// Makes call chains of what samples have, the kernel's part in front: addresses that the kernel found by
// frame pointers, a copy of the user's stack, or the processor's own stack of calls
// (PERF_SAMPLE_BRANCH_CALL_STACK).
class CallChain {
 public:
  CallChain(const Recording& recording, Segment& segment) : recording_(recording), segment_(segment) {}

  // Innermost first; each caller is the place of its call. Where a copy of the stack or a stack of calls
  // tells nothing, the chain is the kernel's. Valid until the next call of this. `mode`: the sample's;
  // `space`: the mappings of its process.
  const std::vector<CodeAddress>& of(const perf_event_attr& attr, Mode mode, const NumberedSpace& space,
                                     const record::Sample& sample);

 private:
  void add_recorded(Mode mode, const record::Sample& sample);
  void add(Mode mode, const record::U64View& chain, size_t count);
  void walk(Mode mode, const NumberedSpace& space, const record::Sample& sample);
  void take_calls(Mode mode, const record::Sample& sample);
  void keep_kernel_part(Mode mode, const record::Sample& sample);

  const Recording& recording_;
  Segment& segment_;
  std::optional<StackWalker> walker_;  // from the first sample with a copy of the stack on
  std::vector<CodeAddress> chain_;
  std::vector<uint64_t> walked_;
};

}  // namespace hm::profile
