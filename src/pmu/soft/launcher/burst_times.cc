// SPDX-License-Identifier: MIT
#include "pmu/soft/launcher/burst_times.h"

#include <algorithm>

namespace hm::soft {
namespace {

// Joins marks to parts of equal numbers of slots, in order of time. A mark is not divided.
std::vector<BurstMark> joined(std::vector<BurstMark> marks, size_t parts) {
  std::ranges::sort(marks, {}, &BurstMark::begin_ns);
  uint64_t all = 0, before = 0;
  for (const BurstMark& each : marks) all += each.slots;
  double of_part = static_cast<double>(all) / static_cast<double>(parts);
  std::vector<BurstMark> found;
  for (const BurstMark& each : marks) {
    if (static_cast<double>(before) >= of_part * static_cast<double>(found.size()))
      found.push_back({each.begin_ns, 0});
    found.back().slots += each.slots;
    before += each.slots;
  }
  return found;
}

}  // namespace

void BurstTimes::add(const BurstMarks& marks) {
  for (uint32_t i = 0; i < marks.count(); ++i) marks_.push_back(marks.at(i));
  if (marks_.size() > kMost) marks_ = joined(std::move(marks_), kMost / 2);
}

std::vector<uint64_t> BurstTimes::begins_of_parts(size_t parts) const {
  std::vector<uint64_t> begins;
  for (const BurstMark& each : joined(marks_, parts)) begins.push_back(each.begin_ns);
  return begins;
}

}  // namespace hm::soft
