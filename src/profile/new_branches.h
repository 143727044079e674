// SPDX-License-Identifier: MIT
// Determines which branches of a sample's stack ran since the previous sample. Reading the processor's last
// branch records (LBR) does not clear them: entries that the previous sample had, too, must not be counted
// twice.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "record/branch.h"

namespace hm::profile {

using RawStack = std::span<const record::RawBranch>;  // newest entry first

// More entries than any hardware has; limits the work for a damaged recording.
inline constexpr size_t kMaxBranches = 256;

// Returns the stack without empty slots (branches from 0 to 0), and at most the kMaxBranches newest entries.
[[nodiscard]] RawStack without_empty(RawStack stack);

struct NewBranches {
  uint16_t count = 0;  // number of new entries, which are the newest
  // True if the common entries prove nothing, because they are a loop that ran at least twice or occur again
  // in the newer stack. The number of repetitions between the samples is then unknown, and all entries count
  // as new.
  bool ambiguous = false;
};

// Compares stacks without empty slots by content: searches `now` for the newest entries of `before`,
// including flags and cycles. `indices` are the hardware's indices of the newest entry in both stacks, if
// recorded (PERF_SAMPLE_BRANCH_HW_INDEX). The number of new entries equals their difference modulo the depth
// of the stack.
struct HardwareIndices {
  uint64_t before, now;
};
[[nodiscard]] NewBranches find_new(RawStack now, RawStack before,
                                   std::optional<HardwareIndices> indices = {});

// The last stack of each thread and event, while a segment's samples are added in order of time.
class LastStacks {
 public:
  struct Stack {
    std::vector<record::RawBranch> entries;
    uint64_t hardware_index = record::kNoHardwareIndex;
  };
  // `row` is the row of the sample. Exchanges `stack` with the thread's previous stack, in order to reuse its
  // memory.
  NewBranches add(size_t row, uint32_t thread, uint32_t event, Stack& stack);

  // Compares the rows that had no predecessor in this segment with the last stacks of the segments before it,
  // and updates `before` with this segment's last stacks. `threads` maps this segment's thread numbers to
  // those of the whole profile; `first_row` is the offset of its rows.
  void continue_from(LastStacks& before, std::span<const uint32_t> threads, size_t first_row,
                     std::span<NewBranches> rows) const;

 private:
  using Key = uint64_t;  // event and thread number
  struct First {
    size_t row;
    Stack stack;
  };
  std::unordered_map<Key, First> first_;
  std::unordered_map<Key, Stack> last_;
};

}  // namespace hm::profile
