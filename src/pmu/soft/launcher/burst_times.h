// SPDX-License-Identifier: MIT
// When the bursts of all processes began.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "pmu/soft/ring/burst_marks.h"

namespace hm::soft {

class BurstTimes {
 public:
  // Adds those of one process.
  void add(const BurstMarks& marks);

  // Returns the begins of at most `parts` consecutive parts of the bursts, of equal numbers of slots as far
  // as possible, in order of time.
  [[nodiscard]] std::vector<uint64_t> begins_of_parts(size_t parts) const;

 private:
  static constexpr size_t kMost = 4096;  // then neighbours are joined

  std::vector<BurstMark> marks_;
};

}  // namespace hm::soft
