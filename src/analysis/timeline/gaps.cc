// SPDX-License-Identifier: MIT
#include "analysis/timeline/gaps.h"

#include <algorithm>
#include <unordered_map>

namespace hm::timeline {
namespace {

// Finds the axis position of each CPU's last sample before a clock time. Queries must be in order of time.
class LastSamples {
 public:
  LastSamples(const profile::Profile& profile, const profile::TimeAxis& axis)
      : samples_(profile.samples), axis_(axis) {}

  // A CPU of nullopt means any CPU.
  std::optional<uint64_t> before(uint64_t time_ns, std::optional<uint32_t> cpu) {
    for (; row_ < samples_.size(); ++row_) {
      std::optional<uint64_t> time = samples_.time_ns.at(row_);
      if (time.value_or(0) >= time_ns) break;
      if (!time) continue;
      last_ = axis_.at(row_);
      if (std::optional<uint64_t> of = samples_.cpu.at(row_)) of_cpu_[*of] = last_;
    }
    if (!cpu || samples_.cpu.empty()) return last_;
    auto found = of_cpu_.find(*cpu);
    return found == of_cpu_.end() ? std::nullopt : found->second;
  }

  // Converts a clock time to an axis position. If the units differ, returns the position of the last sample
  // before it.
  uint64_t on_axis(uint64_t time_ns, uint64_t start) {
    return axis_.unit() == profile::TimeUnit::kNanoseconds ? time_ns
                                                           : before(time_ns, std::nullopt).value_or(start);
  }

 private:
  const profile::Samples& samples_;
  const profile::TimeAxis& axis_;
  size_t row_ = 0;
  std::optional<uint64_t> last_;
  std::unordered_map<uint64_t, std::optional<uint64_t>> of_cpu_;
};

}  // namespace

std::vector<Gap> find_gaps(const profile::Profile& profile, const profile::TimeAxis& axis,
                           uint64_t start_ns) {
  LastSamples last(profile, axis);
  std::vector<Gap> gaps;
  for (const profile::Gap& each : profile.gaps) {
    uint64_t begin = each.event ? last.on_axis(each.begin_ns, start_ns)
                                : last.before(each.begin_ns, each.cpu).value_or(start_ns);
    uint64_t end = last.on_axis(each.end_ns, start_ns);
    gaps.push_back(
        {{static_cast<int64_t>(begin - start_ns), static_cast<int64_t>(end - start_ns)}, each.event});
  }
  std::ranges::sort(gaps, {}, [](const Gap& gap) { return gap.when.begin_ns; });
  return gaps;
}

std::vector<TimeSpan> gaps_of(const std::vector<Gap>& gaps, uint32_t event, const Grid& grid) {
  std::vector<TimeSpan> apart;
  for (const Gap& gap : gaps) {
    if (gap.event.value_or(event) != event) continue;
    TimeSpan when{std::max(gap.when.begin_ns, grid.begin_ns), std::min(gap.when.end_ns, grid.end_ns)};
    if (when.begin_ns > when.end_ns) continue;
    if (!apart.empty() && when.begin_ns - apart.back().end_ns < grid.bin_ns)
      apart.back().end_ns = std::max(apart.back().end_ns, when.end_ns);
    else
      apart.push_back(when);
  }
  return apart;
}

}  // namespace hm::timeline
