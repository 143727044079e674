// SPDX-License-Identifier: MIT
// The branch stack of a sample: perf_event_open(2), PERF_SAMPLE_BRANCH_STACK.
#pragma once

#include <linux/perf_event.h>

#include <cstdint>

#include "record/bit_field.h"
#include "record/u64_view.h"

namespace hm::record {

struct BranchEntry {
  uint64_t from = 0;
  uint64_t to = 0;
  bool mispredicted = false;
  bool predicted = false;  // if neither flag is set, the hardware does not report predictions
  bool in_transaction = false;
  bool aborted = false;
  uint16_t cycles = 0;      // since the previous entry; 0 if not measured
  uint8_t type = 0;         // PERF_BR_*
  uint8_t speculation = 0;  // PERF_BR_SPEC_*
  uint8_t new_type = 0;     // PERF_BR_NEW_*, valid if type is PERF_BR_EXTEND_ABI
  uint8_t privilege = 0;    // PERF_BR_PRIV_*

  bool operator==(const BranchEntry&) const = default;
};

inline constexpr uint64_t kNoHardwareIndex = ~uint64_t{0};
inline constexpr uint64_t kBranchCounters = uint64_t{1} << 19;  // PERF_SAMPLE_BRANCH_COUNTERS, from Linux 6.8

// Returns true if the stacks hold the calls that have not returned yet, innermost first, instead of the last
// branches.
[[nodiscard]] constexpr bool is_call_stack(uint64_t branch_sample_type) {
  return (branch_sample_type & PERF_SAMPLE_BRANCH_CALL_STACK) != 0;
}

// Bit-field in the flags of struct perf_branch_entry.
inline constexpr BitField kBranchCycles{4, 16};

// A recorded entry with its flags not decoded, in this machine's byte order.
struct RawBranch {
  uint64_t from = 0;
  uint64_t to = 0;
  uint64_t flags = 0;

  bool operator==(const RawBranch&) const = default;
};

// View of the branch entries in the recording, newest entry first.
class BranchStack {
 public:
  BranchStack() = default;
  // `words` holds three words for each entry: from, to, flags. `swap` is needed to decode the bit-fields in
  // the flags.
  explicit BranchStack(U64View words, bool swap = false) : words_(words), swap_(swap) {}

  [[nodiscard]] size_t size() const { return words_.size() / 3; }
  [[nodiscard]] bool empty() const { return size() == 0; }
  // `index` must be below size().
  [[nodiscard]] BranchEntry operator[](size_t index) const;
  [[nodiscard]] RawBranch raw(size_t index) const {
    return {words_[3 * index], words_[3 * index + 1], words_[3 * index + 2]};
  }
  // Returns BranchEntry::cycles of `entry`, without decoding the other fields.
  [[nodiscard]] uint16_t cycles_of(const RawBranch& entry) const {
    return static_cast<uint16_t>(kBranchCycles.get(entry.flags, swap_));
  }

  uint64_t hardware_index = kNoHardwareIndex;  // PERF_SAMPLE_BRANCH_HW_INDEX
  U64View counters;                            // kBranchCounters: one word for each entry

 private:
  U64View words_;
  bool swap_ = false;
};

// Reads the stack of a sample; `branch_sample_type` is its event's (PERF_SAMPLE_BRANCH_*).
[[nodiscard]] BranchStack decode_branches(ByteReader& in, uint64_t branch_sample_type);
void encode_branches(const BranchStack& branches, uint64_t branch_sample_type, ByteWriter& out);

// Appends the three words of an entry, the layout that BranchStack reads.
void encode_branch(const BranchEntry& entry, ByteWriter& out);

}  // namespace hm::record
