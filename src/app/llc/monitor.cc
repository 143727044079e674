// SPDX-License-Identifier: MIT
#include "app/llc/monitor.h"

#include <algorithm>
#include <charconv>
#include <filesystem>

namespace hm::llc {
namespace {

// nullopt where a part was not measured: a sum without it would be too small.
template <typename Part>
std::optional<uint64_t> sum_of(const std::vector<rdt::Reading>& readings, Part part) {
  if (readings.empty()) return std::nullopt;
  uint64_t sum = 0;
  for (const rdt::Reading& each : readings) {
    if (!(each.*part)) return std::nullopt;
    sum += *(each.*part);
  }
  return sum;
}

uint64_t bytes_of(const std::vector<rdt::Domain>& domains) {
  uint64_t sum = 0;
  for (const rdt::Domain& each : domains) {
    if (each.bytes == 0) return 0;
    sum += each.bytes;
  }
  return sum;
}

}  // namespace

Monitor::Monitor(rdt::Provider& provider, occupancy::By by, WantedRows wanted, std::string proc)
    : provider_(provider), by_(by), wanted_(std::move(wanted)), proc_(std::move(proc)) {}

occupancy::Snapshot Monitor::refresh(uint64_t now_ns) {
  if (!first_ns_) first_ns_ = now_ns;
  obstacles_.clear();
  update_rows(now_ns);
  provider_.begin_round();
  for (auto& [key, row] : rows_) read(row, now_ns);

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
  for (const std::string& key : order_) snapshot.rows.push_back(rows_.at(key).last);
  snapshot.remarks.assign(obstacles_.begin(), obstacles_.end());
  return snapshot;
}

// Rows that are wanted no longer are no longer measured.
void Monitor::update_rows(uint64_t now_ns) {
  order_.clear();
  std::set<std::string> wanted_keys;
  for (WantedRow& wanted : wanted_()) {
    order_.push_back(wanted.key);
    wanted_keys.insert(wanted.key);
    Row& row = rows_[wanted.key];
    row.wanted = std::move(wanted);
  }
  std::erase_if(rows_, [&](const auto& each) { return !wanted_keys.contains(each.first); });
  for (const std::string& key : order_) {
    Row& row = rows_.at(key);
    if (row.first_ns == 0) row.first_ns = now_ns;
    row.group ? add_members(row) : start(row, now_ns);
  }
}

void Monitor::start(Row& row, uint64_t now_ns) {
  auto group = provider_.watch({{}, row.wanted.cpus});
  if (!group) {
    obstacles_.insert(group.error().message);
    return;
  }
  row.group = *std::move(group);
  row.members.clear();
  row.since_ns = now_ns;
  row.traffic = {};
  add_members(row);
}

void Monitor::add_members(Row& row) {
  for (const auto* list : {&row.wanted.processes, &row.wanted.threads}) {
    for (pid_t member : *list) {
      if (!row.members.insert(member).second) continue;
      for (pid_t thread : threads_of(row.wanted, member)) {
        Status added = row.group->add(thread);
        if (!added && added.error().code != ErrorCode::kNotFound) obstacles_.insert(added.error().message);
      }
    }
  }
}

// A process that has ended meanwhile has none.
std::vector<pid_t> Monitor::threads_of(const WantedRow& wanted, pid_t member) const {
  if (wanted.processes.empty()) return {member};
  std::vector<pid_t> threads;
  std::error_code error;
  std::filesystem::path folder = std::filesystem::path(proc_) / std::to_string(member) / "task";
  for (std::filesystem::directory_iterator each(folder, error), end; !error && each != end;
       each.increment(error)) {
    std::string name = each->path().filename().string();
    pid_t thread = 0;
    if (std::from_chars(name.data(), name.data() + name.size(), thread).ec == std::errc())
      threads.push_back(thread);
  }
  return threads;
}

void Monitor::read(Row& row, uint64_t now_ns) {
  const WantedRow& wanted = row.wanted;
  row.last.key = wanted.key;
  row.last.name = wanted.name;
  row.last.parent = wanted.parent;
  row.last.pid = wanted.pid;
  row.last.members = wanted.processes.size() + wanted.threads.size();
  if (row.group) {
    std::vector<rdt::Reading> readings = row.group->read();
    row.last.occupancy_bytes = sum_of(readings, &rdt::Reading::occupancy_bytes);
    row.last.domains.clear();
    for (const rdt::Reading& each : readings) row.last.domains.push_back({each.domain, each.occupancy_bytes});
    Traffic now{now_ns, sum_of(readings, &rdt::Reading::total_bytes),
                sum_of(readings, &rdt::Reading::local_bytes)};
    uint64_t elapsed_ns = row.traffic.time_ns == 0 ? 0 : now_ns - row.traffic.time_ns;
    row.last.total_bytes_per_s = rate(row.traffic.total_bytes, now.total_bytes, elapsed_ns);
    row.last.local_bytes_per_s = rate(row.traffic.local_bytes, now.local_bytes, elapsed_ns);
    row.traffic = now;
    row.measured_ns += now_ns - row.since_ns;
    row.since_ns = now_ns;
    row.last_ns = now_ns;
  }
  uint64_t there_ns = now_ns - row.first_ns;
  row.last.measured_share = there_ns == 0
                                ? (row.group ? 1 : 0)
                                : static_cast<double>(row.measured_ns) / static_cast<double>(there_ns);
  row.last.age_ns = row.last_ns == 0 ? 0 : now_ns - row.last_ns;
}

// A counter that is less than before has begun anew: its rate is not known.
std::optional<double> Monitor::rate(std::optional<uint64_t> before, std::optional<uint64_t> now,
                                    uint64_t elapsed_ns) {
  if (!before || !now || *now < *before || elapsed_ns == 0) return std::nullopt;
  return static_cast<double>(*now - *before) * 1e9 / static_cast<double>(elapsed_ns);
}

}  // namespace hm::llc
