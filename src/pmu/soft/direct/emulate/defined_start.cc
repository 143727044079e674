// SPDX-License-Identifier: MIT
#include "pmu/soft/direct/emulate/defined_start.h"

#include "pmu/soft/direct/emulate/defined_machine.h"
#include "pmu/soft/direct/emulate/resource_limits.h"
#include "pmu/soft/direct/emulate/start_arguments.h"
#include "pmu/soft/direct/process/process.h"

namespace hm::soft::direct {
namespace {

// Entries of the auxiliary vector (include/uapi/linux/auxvec.h).
enum Auxiliary : uint64_t {
  kIgnored = 1,
  kHwcap = 16,
  kRandom = 25,
  kHwcap2 = 26,
  kRseqFeatureSize = 27,
  kRseqAlign = 28,
  kVdso = 33,
  kMinSignalStack = 51,
};

void define_entry(uint64_t& type, uint64_t& value) {
  switch (type) {
    case kHwcap:
      value = defined_machine().hwcap;
      return;
    case kHwcap2:
      value = 0;
      return;
    case kRandom:
      reinterpret_cast<uint64_t*>(value)[0] = g_process.defined.random();
      reinterpret_cast<uint64_t*>(value)[1] = g_process.defined.random();
      return;
    case kVdso:  // its functions read the machine's clock
    case kMinSignalStack:
    case kRseqFeatureSize:
    case kRseqAlign:
      type = kIgnored;
      return;
    default:
      return;
  }
}

}  // namespace

void define_start(Context& context) {
  constexpr uint32_t kStackBytes = 3;  // RLIMIT_STACK
  // The stack ends at 0x7ffffffff000, without randomization. The kernel has put the strings there, which are
  // rarely longer together than the rest.
  constexpr uint64_t kStart = 0x7ffffffc0000, kLeastLimit = uint64_t{4} << 20;
  g_process.defined.seed(defined_machine().seed);
  StartArguments arguments(context);
  arguments.for_each_auxiliary(define_entry);
  bool is_above = context.registers[kSp] > kStart + arguments.bytes();
  if (is_above && has_limit_of(kStackBytes, kLeastLimit)) arguments.move_to(kStart);
}

}  // namespace hm::soft::direct
