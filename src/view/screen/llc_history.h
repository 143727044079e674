// SPDX-License-Identifier: MIT
// What rows have held so far, as far back as is kept.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <vector>

#include "analysis/occupancy/snapshot.h"
#include "view/screen/plot.h"

namespace hm::screen {

class LlcHistory {
 public:
  static constexpr size_t kMost = 600;  // snapshots that are kept

  // Rows that are not in it are forgotten, unless `keeps_all`: then nothing was measured of them.
  void add(const occupancy::Snapshot& snapshot, bool keeps_all = false);
  void clear();

  // Of one row up to that time, the oldest first, one for each snapshot since the row was first there; empty
  // where it is not known.
  [[nodiscard]] std::vector<PlotValue> of(const std::string& key, uint64_t until_ns) const;
  // How long before `until_ns` the snapshot was taken that `back` others up to then follow; the oldest one's
  // where there are fewer.
  [[nodiscard]] uint64_t age_ns(size_t back, uint64_t until_ns) const;
  [[nodiscard]] size_t rows() const { return rows_.size(); }

 private:
  // Compact, as there may be thousands of rows: bytes, of an earlier measurement -1 - bytes, or not a number.
  using Ring = std::deque<float>;

  [[nodiscard]] size_t later_than(uint64_t until_ns) const;

  std::deque<uint64_t> times_ns_;
  std::map<std::string, Ring> rows_;  // the last value is of the last time
};

}  // namespace hm::screen
