// SPDX-License-Identifier: MIT
#include "app/llc/monitor.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "app/llc/row_sources.h"
#include "base/cgroup_name.h"
#include "base/numbered_entries.h"

namespace hm::llc {
namespace {

// Refreshes in a turn: the warm-up of a group and one refresh with a valid reading.
constexpr uint64_t kTurnRefreshes = kWarmUpRefreshes + 1;

uint64_t bytes_of(const std::vector<rdt::Domain>& domains) {
  uint64_t sum = 0;
  for (const rdt::Domain& each : domains) {
    if (each.bytes == 0) return 0;
    sum += each.bytes;
  }
  return sum;
}

// A group that its provider has already read.
class ReadAlready final : public rdt::Group {
 public:
  explicit ReadAlready(std::vector<rdt::Reading> readings) : readings_(std::move(readings)) {}
  Status add(pid_t /*thread*/) override { return {}; }
  std::vector<rdt::Reading> read() override { return readings_; }

 private:
  std::vector<rdt::Reading> readings_;
};

}  // namespace

Monitor::Monitor(rdt::Provider& provider, occupancy::By by, WantedRows wanted, std::string proc)
    : provider_(provider), by_(by), wanted_(std::move(wanted)), proc_(std::move(proc)) {}

occupancy::Snapshot Monitor::refresh(uint64_t now_ns) {
  if (!first_ns_) first_ns_ = now_ns;
  remarks_.clear();
  update_rows();
  take_turns(now_ns);
  provider_.begin_round();
  occupancy::Snapshot snapshot = begin_snapshot(now_ns);
  snapshot.rows.reserve(order_.size());
  for (RowState* row : order_) snapshot.rows.push_back(row->read(now_ns, snapshot.cache_bytes));
  if (shows_foreign_) add_foreign(snapshot, now_ns);
  snapshot.remarks.assign(remarks_.begin(), remarks_.end());
  return snapshot;
}

occupancy::Snapshot Monitor::begin_snapshot(uint64_t now_ns) const {
  const rdt::Capabilities& can = provider_.capabilities();
  occupancy::Snapshot snapshot;
  snapshot.time_ns = now_ns;
  snapshot.elapsed_s = static_cast<double>(now_ns - *first_ns_) * 1e-9;
  snapshot.measured_by = can.name;
  snapshot.is_modelled = can.modelled;
  snapshot.by = by_;
  snapshot.cache_bytes = bytes_of(can.domains);
  snapshot.has_total_bandwidth = can.total_bandwidth;
  snapshot.has_local_bandwidth = can.local_bandwidth;
  return snapshot;
}

// Drops rows that are no longer requested, which ends their measurement.
void Monitor::update_rows() {
  order_.clear();
  for (auto& [key, row] : rows_) row.is_wanted = false;
  for (WantedRow& wanted : wanted_()) {
    RowState& row = rows_[wanted.key];
    if (std::exchange(row.is_wanted, true)) continue;  // duplicate
    order_.push_back(&row);
    row.wanted = std::move(wanted);
    if (row.is_measured()) add_members(row);
  }
  std::erase_if(rows_, [](const auto& each) { return !each.second.is_wanted; });
}

void Monitor::add_foreign(occupancy::Snapshot& snapshot, uint64_t now_ns) {
  std::set<std::string> keys;
  for (rdt::ForeignGroup& each : provider_.foreign_groups()) {
    std::string key = "group " + each.name;
    keys.insert(key);
    RowState& row = foreign_[key];
    row.wanted.key = key;
    row.wanted.name = fmt::format("{} (another program's group)", cgroup_name('/' + each.name));
    row.wanted.threads = std::move(each.threads);
    row.replace_group(std::make_unique<ReadAlready>(std::move(each.readings)), now_ns);
    snapshot.rows.push_back(row.read(now_ns, snapshot.cache_bytes));
    snapshot.rows.back().is_foreign = true;
  }
  std::erase_if(foreign_, [&](const auto& each) { return !keys.contains(each.first); });
}

// Starts the turns of rows that were never measured, or whose last measurement is oldest, first.
void Monitor::take_turns(uint64_t now_ns) {
  std::vector<RowState*> waiting;
  for (RowState* row : order_) {
    if (!row->is_measured()) waiting.push_back(row);
  }
  std::ranges::stable_sort(waiting, {}, &RowState::last_ns);
  size_t begun = 0;
  const auto begin_some = [&] {
    while (begun < waiting.size() && begin_turn(*waiting[begun], now_ns)) ++begun;
  };
  begin_some();
  if (begun == waiting.size()) return;
  end_turns(waiting.size() - begun);
  begin_some();
}

// Ends up to `waiting` turns that have reached their length, the longest first.
void Monitor::end_turns(size_t waiting) {
  std::vector<RowState*> over;
  for (auto& [key, row] : rows_) {
    if (row.is_measured() && row.refreshes() >= kTurnRefreshes) over.push_back(&row);
  }
  size_t ends = std::min(waiting, over.size());
  std::ranges::partial_sort(over, over.begin() + static_cast<ptrdiff_t>(ends), std::greater(),
                            &RowState::refreshes);
  for (size_t i = 0; i < ends; ++i) over[i]->end_turn();
}

// Returns false if no more rows can be measured now.
bool Monitor::begin_turn(RowState& row, uint64_t now_ns) {
  auto group = provider_.watch(
      {.cpus = row.wanted.cpus, .xen_domains = row.wanted.xen_domains, .ways = row.wanted.ways});
  if (!group) {
    bool are_too_many = rows_.size() > 1 && group.error().code != ErrorCode::kPermission;
    remarks_.insert(are_too_many ? fmt::format("{}: rows are measured in turn", group.error().message)
                                 : group.error().message);
    return false;
  }
  row.begin_turn(*std::move(group), provider_.capabilities().modelled, now_ns);
  add_members(row);
  return true;
}

void Monitor::add_members(RowState& row) {
  for (const auto* list : {&row.wanted.processes, &row.wanted.threads}) {
    for (pid_t member : *list) {
      if (row.is_new(member)) add_member(row, member);
    }
  }
}

void Monitor::add_member(RowState& row, pid_t member) {
  bool are_threads = row.wanted.processes.empty();
  std::string tasks = fmt::format("{}/{}/task", proc_, member);
  std::set<pid_t> seen;
  // Repeat until no new thread appears: a thread that a member starts before being added is neither in the
  // listing nor in the group.
  for (bool is_complete = false; !is_complete;) {
    is_complete = true;
    for (pid_t thread : are_threads ? std::vector{member} : numbered_entries(tasks)) {
      if (!seen.insert(thread).second) continue;
      is_complete = are_threads;
      Status added = row.group().add(thread);
      if (added) row.has_thread();
      if (added || added.error().code == ErrorCode::kNotFound) continue;
      remarks_.insert(added.error().message);
      row.lacks(member);
    }
  }
}

}  // namespace hm::llc
