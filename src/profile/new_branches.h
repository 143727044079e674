// SPDX-License-Identifier: MIT
// Which branches of a sample's stack ran since the sample before. The processor's record of its last branches
// (LBR) is not cleared when it is read: entries that the last sample had too must not count again.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "record/branch.h"

namespace hm::profile {

using RawStack = std::span<const record::RawBranch>;  // newest first

// No hardware has more entries, and a damaged recording might.
inline constexpr size_t kMostBranches = 256;

// Without the slots that held no branch: from 0 to 0. At most the kMostBranches newest entries.
[[nodiscard]] RawStack without_empty(RawStack stack);

struct NewBranches {
  uint16_t count = 0;  // of the newest
  // What both stacks have proves nothing: it is a loop that went round at least twice, or the newer stack has
  // it once more. How often that ran between the samples cannot be told, and all entries count as new.
  bool ambiguous = false;
};

// Of stacks without empty slots, by content: the newest entries of `before` are looked for in `now`, whole
// (also its flags and cycles). `indices`, where the hardware told them (PERF_SAMPLE_BRANCH_HW_INDEX), of the
// newest entry then and now: the number of new ones is their difference, or more than the hardware has
// entries.
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
  // `row`: of the sample. The thread's last stack is given back in `stack`: its memory serves the next.
  NewBranches add(size_t row, uint32_t thread, uint32_t event, Stack& stack);

  // The rows that were compared with nothing, as nothing came before in this segment: compares them with what
  // came last in the segments before it, which becomes what came last in all. `threads`: what this segment's
  // numbers of threads become; `first_row`: what is added to its rows.
  void continue_from(LastStacks& before, std::span<const uint32_t> threads, size_t first_row,
                     std::span<NewBranches> rows) const;

 private:
  using Key = uint64_t;  // event and thread
  struct First {
    size_t row;
    Stack stack;
  };
  std::unordered_map<Key, First> first_;
  std::unordered_map<Key, Stack> last_;
};

}  // namespace hm::profile
