// SPDX-License-Identifier: MIT
#include "record/branch.h"

#include <linux/perf_event.h>

#include "record/bit_field.h"

namespace hm::record {
namespace {

// Layout of struct perf_branch_entry.
constexpr size_t kWordsPerEntry = 3;
constexpr BitField kMispredicted{0, 1};
constexpr BitField kPredicted{1, 1};
constexpr BitField kInTransaction{2, 1};
constexpr BitField kAborted{3, 1};
constexpr BitField kType{20, 4};
constexpr BitField kSpeculation{24, 2};
constexpr BitField kNewType{26, 4};
constexpr BitField kPrivilege{30, 3};

uint64_t encode_flags(const BranchEntry& entry) {
  return kMispredicted.put(entry.mispredicted) | kPredicted.put(entry.predicted) |
         kInTransaction.put(entry.in_transaction) | kAborted.put(entry.aborted) |
         kBranchCycles.put(entry.cycles) | kType.put(entry.type) | kSpeculation.put(entry.speculation) |
         kNewType.put(entry.new_type) | kPrivilege.put(entry.privilege);
}

}  // namespace

BranchEntry BranchStack::operator[](size_t index) const {
  auto [from, to, flags] = raw(index);
  return {.from = from,
          .to = to,
          .mispredicted = kMispredicted.get(flags, swap_) != 0,
          .predicted = kPredicted.get(flags, swap_) != 0,
          .in_transaction = kInTransaction.get(flags, swap_) != 0,
          .aborted = kAborted.get(flags, swap_) != 0,
          .cycles = static_cast<uint16_t>(kBranchCycles.get(flags, swap_)),
          .type = static_cast<uint8_t>(kType.get(flags, swap_)),
          .speculation = static_cast<uint8_t>(kSpeculation.get(flags, swap_)),
          .new_type = static_cast<uint8_t>(kNewType.get(flags, swap_)),
          .privilege = static_cast<uint8_t>(kPrivilege.get(flags, swap_))};
}

BranchStack decode_branches(ByteReader& in, uint64_t branch_sample_type) {
  uint64_t count = in.u64();
  uint64_t hardware_index =
      (branch_sample_type & PERF_SAMPLE_BRANCH_HW_INDEX) != 0 ? in.u64() : kNoHardwareIndex;
  bool plausible = count <= in.remaining() / sizeof(uint64_t);  // the product below cannot overflow
  BranchStack branches(take_words(in, plausible ? count * kWordsPerEntry : count), in.swaps());
  branches.hardware_index = hardware_index;
  if ((branch_sample_type & kBranchCounters) != 0) branches.counters = take_words(in, count);
  return branches;
}

void encode_branch(const BranchEntry& entry, ByteWriter& out) {
  out.u64(entry.from);
  out.u64(entry.to);
  out.u64(encode_flags(entry));
}

void encode_branches(const BranchStack& branches, uint64_t branch_sample_type, ByteWriter& out) {
  out.u64(branches.size());
  if ((branch_sample_type & PERF_SAMPLE_BRANCH_HW_INDEX) != 0) out.u64(branches.hardware_index);
  for (size_t i = 0; i < branches.size(); ++i) encode_branch(branches[i], out);
  if ((branch_sample_type & kBranchCounters) == 0) return;
  for (size_t i = 0; i < branches.size(); ++i)
    out.u64(i < branches.counters.size() ? branches.counters[i] : 0);
}

}  // namespace hm::record
