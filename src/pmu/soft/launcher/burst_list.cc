// SPDX-License-Identifier: MIT
#include "pmu/soft/launcher/burst_list.h"

#include <algorithm>

namespace hm::soft {
namespace {

std::vector<BurstGroup> sorted(std::vector<BurstGroup> groups) {
  std::ranges::sort(groups, {}, &BurstGroup::begin_ns);
  return groups;
}

// Joins neighbours to parts of equal numbers of slots. A group is not divided.
std::vector<BurstGroup> joined(const std::vector<BurstGroup>& in_order, size_t parts) {
  uint64_t all = 0, before = 0;
  for (const BurstGroup& each : in_order) all += each.counted.slots;
  double of_part = static_cast<double>(all) / static_cast<double>(parts);
  std::vector<BurstGroup> found;
  for (const BurstGroup& each : in_order) {
    if (static_cast<double>(before) >= of_part * static_cast<double>(found.size()))
      found.push_back({each.begin_ns, 0, {}});
    found.back().add(each);
    before += each.counted.slots;
  }
  return found;
}

}  // namespace

void BurstList::add(const BurstGroups& groups) {
  for (uint32_t i = 0; i < groups.count(); ++i) add(groups.at(i));
}

void BurstList::add_as_one(const BurstGroups& groups) {
  if (groups.count() == 0) return;
  BurstGroup one = groups.at(0);
  for (uint32_t i = 1; i < groups.count(); ++i) one.add(groups.at(i));
  one.bursts = 1;
  add(one);
}

void BurstList::add(const BurstGroup& group) {
  groups_.push_back(group);
  bursts_ += group.bursts;
  if (groups_.size() > kMost) groups_ = joined(sorted(std::move(groups_)), kMost / 2);
}

std::vector<BurstGroup> BurstList::in_order() const { return sorted(groups_); }

std::vector<uint64_t> BurstList::begins_of_parts(size_t parts) const {
  std::vector<uint64_t> begins;
  for (const BurstGroup& each : joined(in_order(), parts)) begins.push_back(each.begin_ns);
  return begins;
}

}  // namespace hm::soft
