// SPDX-License-Identifier: MIT
#include "pmu/soft/direct/emulate/defined_start.h"

#include "pmu/soft/direct/emulate/defined_machine.h"
#include "pmu/soft/direct/emulate/resource_limits.h"
#include "pmu/soft/direct/process/process.h"

namespace hm::soft::direct {
namespace {

// Entries of the auxiliary vector (include/uapi/linux/auxvec.h).
enum Auxiliary : uint64_t {
  kEnd = 0,
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

// Returns the end of the arguments, the environment and the auxiliary vector, whose entries are defined now.
uint64_t* define_auxiliary(uint64_t* start) {
  uint64_t* word = start + 1 + *start + 1;
  while (*word++ != 0) {
  }
  for (; word[0] != kEnd; word += 2) define_entry(word[0], word[1]);
  return word + 2;
}

}  // namespace

void define_start(Context& context) {
  constexpr uint32_t kStackBytes = 3;  // RLIMIT_STACK
  // The stack ends at 0x7ffffffff000, without randomization. The kernel has put the strings there, which are
  // rarely longer together than the rest.
  constexpr uint64_t kStart = 0x7ffffffc0000, kLeastLimit = uint64_t{4} << 20;
  g_process.defined.seed(defined_machine().seed);
  auto* start = reinterpret_cast<uint64_t*>(context.registers[kSp]);
  uint64_t* end = define_auxiliary(start);
  auto bytes = static_cast<uint64_t>(end - start) * sizeof(uint64_t);
  bool is_above = context.registers[kSp] > kStart + bytes;
  if (!is_above || !has_limit_of(kStackBytes, kLeastLimit)) return;
  __builtin_memcpy(reinterpret_cast<void*>(kStart), start, bytes);
  context.registers[kSp] = kStart;
}

}  // namespace hm::soft::direct
