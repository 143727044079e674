// SPDX-License-Identifier: MIT
#include "app/llc/row_state.h"

#include <algorithm>
#include <cmath>

namespace hm::llc {
namespace {

constexpr size_t kMaxTurns = 16;    // number of remembered turns
constexpr size_t kFewestTurns = 3;  // minimum number of turns for estimating an interval

// Returns nullopt if a part was not measured, because the sum would be too small.
std::optional<uint64_t> sum_of(const std::vector<rdt::Reading>& readings,
                               std::optional<uint64_t> rdt::Reading::*part) {
  if (readings.empty()) return std::nullopt;
  uint64_t sum = 0;
  for (const rdt::Reading& each : readings) {
    if (!(each.*part)) return std::nullopt;
    sum += *(each.*part);
  }
  return sum;
}

// Returns nullopt if the counter has decreased, which means that it was reset.
std::optional<double> rate_of(std::optional<uint64_t> before, std::optional<uint64_t> now,
                              uint64_t elapsed_ns) {
  if (!before || !now || *now < *before || elapsed_ns == 0) return std::nullopt;
  return static_cast<double>(*now - *before) * 1e9 / static_cast<double>(elapsed_ns);
}

// Returns the expected change between two turns: twice the root mean square of the past changes.
double usual_change(const std::deque<double>& values) {
  double sum = 0;
  for (size_t i = 1; i < values.size(); ++i) sum += std::pow(values[i] - values[i - 1], 2);
  return 2 * std::sqrt(sum / static_cast<double>(values.size() - 1));
}

}  // namespace

void RowState::begin_turn(std::unique_ptr<rdt::Group> group, bool exact, uint64_t now_ns) {
  group_ = std::move(group);
  exact_ = exact;
  members_.clear();
  has_thread_ = false;
  refreshes_ = 0;
  since_ns_ = now_ns;
  traffic_ = {};
  if (first_ns_ == 0) first_ns_ = now_ns;
}

void RowState::replace_group(std::unique_ptr<rdt::Group> group, uint64_t now_ns) {
  if (group_) {
    group_ = std::move(group);
  } else {
    begin_turn(std::move(group), true, now_ns);
    has_thread_ = true;
  }
}

void RowState::end_turn() {
  group_.reset();
  if (!is_warm() || !row_.occupancy_bytes) return;
  held_at_ends_.push_back(static_cast<double>(*row_.occupancy_bytes));
  if (held_at_ends_.size() > kMaxTurns) held_at_ends_.pop_front();
}

occupancy::Row RowState::read(uint64_t now_ns, uint64_t cache_bytes) {
  if (first_ns_ == 0) first_ns_ = now_ns;
  if (group_) read_group(now_ns);
  row_.key = wanted.key;
  row_.name = wanted.name;
  row_.parent = wanted.parent;
  row_.pid = wanted.pid;
  row_.ways = wanted.ways;
  row_.members =
      wanted.processes.size() + wanted.threads.size() + wanted.cpus.size() + wanted.xen_domains.size();
  uint64_t there_ns = now_ns - first_ns_;
  row_.measured_share = there_ns != 0 ? static_cast<double>(measured_ns_) / static_cast<double>(there_ns)
                        : group_      ? 1
                                      : 0;
  row_.age_ns = last_ns_ == 0 ? 0 : now_ns - last_ns_;
  set_interval(cache_bytes);
  return row_;
}

// Ignores groups without threads: their occupancy belongs to no row.
std::vector<rdt::Reading> RowState::readings() {
  bool is_of_threads = !wanted.processes.empty() || !wanted.threads.empty();
  if (is_of_threads && !has_thread_) return {};
  return group_->read();
}

void RowState::read_group(uint64_t now_ns) {
  std::vector<rdt::Reading> readings = this->readings();
  ++refreshes_;
  if (!readings.empty()) measured_ns_ += now_ns - since_ns_;
  since_ns_ = now_ns;
  row_.total_bytes = sum_of(readings, &rdt::Reading::total_bytes);
  Traffic now{now_ns, sum_of(readings, &rdt::Reading::total_bytes),
              sum_of(readings, &rdt::Reading::local_bytes)};
  uint64_t elapsed_ns = traffic_.time_ns == 0 ? 0 : now_ns - traffic_.time_ns;
  row_.total_bytes_per_s = rate_of(traffic_.total_bytes, now.total_bytes, elapsed_ns);
  row_.local_bytes_per_s = rate_of(traffic_.local_bytes, now.local_bytes, elapsed_ns);
  traffic_ = now;
  // During warm-up, the result of the previous turn is more accurate.
  if (!is_warm() && !held_at_ends_.empty()) return;
  row_.occupancy_bytes = sum_of(readings, &rdt::Reading::occupancy_bytes);
  row_.domains.clear();
  for (const rdt::Reading& each : readings) row_.domains.push_back({each.domain, each.occupancy_bytes});
  last_ns_ = now_ns;
  // Another program has removed the group; the next refresh creates a new one.
  if (readings.empty() && has_thread_ && !exact_) group_.reset();
}

void RowState::set_interval(uint64_t cache_bytes) {
  row_.low_bytes = row_.high_bytes = row_.occupancy_bytes.value_or(0);
  if (!row_.occupancy_bytes || (group_ && is_warm())) return;
  if (held_at_ends_.empty()) {  // warming up for the first time
    row_.high_bytes = std::max(cache_bytes, row_.low_bytes);
    return;
  }
  uint64_t change = held_at_ends_.size() < kFewestTurns
                        ? cache_bytes
                        : static_cast<uint64_t>(std::llround(usual_change(held_at_ends_)));
  row_.low_bytes -= std::min(row_.low_bytes, change);
  row_.high_bytes += change;
  if (cache_bytes != 0) row_.high_bytes = std::min(row_.high_bytes, cache_bytes);
}

}  // namespace hm::llc
