// SPDX-License-Identifier: MIT
#include "pmu/soft/launcher/session_occupancy.h"

#include <algorithm>
#include <optional>

namespace hm::soft {

using model::LineHolder;

class SessionOccupancy::ThreadGroup final : public rdt::Group {
 public:
  ThreadGroup(SessionOccupancy& all, uint32_t number) : all_(all), number_(number) {}
  ~ThreadGroup() override { all_.remove(number_); }

  Status add(pid_t thread) override {
    all_.add(number_, thread);
    return {};
  }
  std::vector<rdt::Reading> read() override {
    const Sum& sum = all_.sums_[number_];
    uint64_t fetched = sum.fetches * all_.line_bytes_;
    return {{.domain = 0,
             .occupancy_bytes = sum.lines * all_.line_bytes_,
             .total_bytes = fetched,
             .local_bytes = {}}};
  }

 private:
  SessionOccupancy& all_;
  uint32_t number_;
};

SessionOccupancy::SessionOccupancy(model::SessionCache& cache, uint32_t line_bytes)
    : cache_(cache), line_bytes_(line_bytes) {
  capabilities_.name = "software PMU";
  capabilities_.modelled = true;
  capabilities_.occupancy = capabilities_.total_bandwidth = capabilities_.threads = true;
  capabilities_.ways = (uint64_t{1} << cache.geometry().ways) - 1;
  capabilities_.domains = {{0, cache.geometry().entries() * line_bytes}};
}

void SessionOccupancy::begin_round() {
  holders_.clear();
  cache_.read_all([&](uint32_t, const LineHolder& each) { holders_.push_back(each); });
  put_into_groups();
  for (auto& [group, sum] : sums_) sum.lines = sum.fetches = 0;
  for (const LineHolder& each : holders_) {
    auto sum = sums_.find(each.group);
    if (sum == sums_.end()) continue;
    sum->second.lines += each.lines;
    sum->second.fetches += each.fetches + each.fetches_of_gone;
  }
}

// Returns the group of the thread's process, else of its parent; 0 if neither is in a group.
uint32_t SessionOccupancy::group_for(const LineHolder& holder) const {
  if (auto added = group_of_.find(holder.tid); added != group_of_.end()) return added->second;
  for (uint32_t process : {holder.pid, holder.parent}) {
    for (const LineHolder& other : holders_) {
      if (other.pid == process && other.group != 0) return other.group;
    }
  }
  return 0;
}

// Entries inherit the parent's group when they are made. A process that began before its parent was in a
// group gets the group here.
void SessionOccupancy::put_into_groups() {
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t i = model::SessionCache::kOthers + 1; i < holders_.size(); ++i) {
      if (holders_[i].group != 0) continue;
      holders_[i].group = group_for(holders_[i]);
      if (holders_[i].group == 0) continue;
      put_into(i, holders_[i], holders_[i].group);
      changed = true;
    }
  }
}

Result<std::unique_ptr<rdt::Group>> SessionOccupancy::watch(const rdt::Members& members) {
  if (!members.cpus.empty())
    return make_error(ErrorCode::kUnsupported, "the software PMU measures programs, not CPUs");
  if ((members.ways & ~capabilities_.ways) != 0)
    return make_error(ErrorCode::kInvalidArgument,
                      "the modelled cache has the ways {:x}, and {:x} has others", capabilities_.ways,
                      members.ways);
  uint32_t group = next_group_++;
  sums_[group].ways = static_cast<uint32_t>(members.ways);
  for (pid_t thread : members.threads) add(group, thread);
  return std::unique_ptr<rdt::Group>(std::make_unique<ThreadGroup>(*this, group));
}

// Sets the group of a cache entry. Threads started later by this thread inherit group and ways.
void SessionOccupancy::put_into(uint32_t number, const LineHolder& of, uint32_t group) {
  auto sum = sums_.find(group);  // none for a number that a process has made up
  cache_.set_group(number, of.pid, of.tid, group, sum == sums_.end() ? 0 : sum->second.ways);
}

// Makes the first thread's entry for a process that has not begun, so that its ways are restricted from the
// start.
void SessionOccupancy::add(uint32_t group, pid_t thread) {
  auto tid = static_cast<uint32_t>(thread);
  group_of_[tid] = group;
  uint32_t number = model::SessionCache::kOthers;
  LineHolder entry{};
  cache_.read_all([&](uint32_t each_number, const LineHolder& each) {
    if (each_number == model::SessionCache::kOthers || each.tid != tid || each.ended != 0) return;
    number = each_number;
    entry = each;
  });
  if (number == model::SessionCache::kOthers) {
    number = cache_.take_holder(tid, tid, 0);
    entry.pid = entry.tid = tid;
  }
  if (number != model::SessionCache::kOthers) put_into(number, entry, group);
}

void SessionOccupancy::remove(uint32_t group) {
  sums_.erase(group);
  std::erase_if(group_of_, [&](const auto& each) { return each.second == group; });
  std::map<uint32_t, LineHolder> members;
  cache_.read_all([&](uint32_t number, const LineHolder& each) {
    if (each.group == group) members.emplace(number, each);
  });
  for (const auto& [number, each] : members) put_into(number, each, 0);
}

}  // namespace hm::soft
