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

enum class Mode : uint8_t { kUser, kKernel, kElsewhere };  // kElsewhere: a hypervisor or a guest

struct CodeAddress {
  Mode mode = Mode::kElsewhere;
  uint64_t address = 0;
};

// Unwinds the user stack of samples that hold a copy of the stack (symbol/unwind/unwind.h).
class StackWalker {
 public:
  explicit StackWalker(const FrameRuleTable& rules) : rules_(rules) {}

  // Appends the code addresses, innermost first; appends nothing if the sample lacks the registers of 64-bit
  // code.
  void walk(const NumberedSpace& space, const record::Sample& sample, std::vector<uint64_t>& places);

 private:
  [[nodiscard]] const symbol::FrameRule* rule_at(const NumberedSpace& space, uint64_t address);

  const FrameRuleTable& rules_;
  AddressCache<const symbol::FrameRule*> known_;
};

// Builds the call chains of samples, kernel part first. The user part has one of three sources: the kernel's
// frame-pointer unwinding, a copy of the user stack, or the processor's call stack
// (PERF_SAMPLE_BRANCH_CALL_STACK).
class CallChain {
 public:
  CallChain(const Recording& recording, Segment& segment) : recording_(recording), segment_(segment) {}

  // Returns the chain, innermost first, with the address of the call instruction for each caller. Returns
  // only the kernel part if the copied stack or call stack yields nothing. `mode` is the sample's; `space`
  // has the mappings of its process. The result is valid until the next call.
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
  std::optional<StackWalker> walker_;  // created at the first sample with a copy of the stack
  std::vector<CodeAddress> chain_;
  std::vector<uint64_t> walked_;
};

}  // namespace hm::profile
