// SPDX-License-Identifier: MIT
// Past occupancies of the rows, up to the last kMost snapshots.
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
  static constexpr size_t kMost = 600;  // number of snapshots kept

  // Forgets rows that are not in the snapshot, unless `keeps_all` is set: then they get a value that is not
  // measured.
  void add(const occupancy::Snapshot& snapshot, bool keeps_all = false);
  void clear();

  // Returns the values of one row up to `until_ns`, oldest first, one for each snapshot since the row first
  // appeared. Returns an empty list if the row is unknown.
  [[nodiscard]] std::vector<PlotValue> of(const std::string& key, uint64_t until_ns) const;
  // Returns the age at `until_ns` of the snapshot that lies `back` snapshots before the newest one up to
  // then. Uses the oldest snapshot if there are fewer.
  [[nodiscard]] uint64_t age_ns(size_t back, uint64_t until_ns) const;
  [[nodiscard]] size_t rows() const { return rows_.size(); }

 private:
  // Compact, because there may be thousands of rows: bytes; -1 - bytes for an earlier measurement; NaN if not
  // measured.
  using Ring = std::deque<float>;

  [[nodiscard]] size_t later_than(uint64_t until_ns) const;

  std::deque<uint64_t> times_ns_;
  std::map<std::string, Ring> rows_;  // the last value belongs to the last time
};

}  // namespace hm::screen
