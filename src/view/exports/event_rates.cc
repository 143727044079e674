// SPDX-License-Identifier: MIT
#include "view/exports/event_rates.h"

#include <algorithm>
#include <map>
#include <utility>

namespace hm::exports {
namespace {

constexpr uint64_t kMaxParts = 256;
constexpr uint64_t kMinPartNs = 1000;

struct TimeParts {
  uint64_t begin_ns = 0, part_ns = kMinPartNs;
  size_t count = 0;
};

TimeParts parts_of(const Selection& selection, const Times& times) {
  uint64_t first = UINT64_MAX, last = 0;
  for (size_t sample : selection.samples) {
    uint64_t time = times.ns_of(sample);
    first = std::min(first, time);
    last = std::max(last, time);
  }
  if (first > last) return {};
  uint64_t part_ns = std::max(kMinPartNs, (last - first) / kMaxParts + 1);
  return {first, part_ns, static_cast<size_t>((last - first) / part_ns + 1)};
}

}  // namespace

std::vector<EventRate> event_rates(const Selection& selection, const Times& times) {
  const profile::Profile& profile = selection.profile;
  TimeParts parts = parts_of(selection, times);
  Weights weights(selection);
  std::map<std::pair<uint32_t, uint32_t>, std::vector<uint64_t>> events;  // by event and process
  for (size_t sample : selection.samples) {
    uint32_t pid = profile.threads[profile.samples.thread[sample]].pid;
    std::vector<uint64_t>& counts = events[{profile.samples.event[sample], pid}];
    counts.resize(parts.count);
    counts[(times.ns_of(sample) - parts.begin_ns) / parts.part_ns] += weights.of(sample);
  }
  std::vector<EventRate> rates;
  for (const auto& [key, counts] : events) {
    EventRate rate{key.first, key.second, {}};
    for (size_t i = 0; i < counts.size(); ++i)
      rate.points.push_back({parts.begin_ns + i * parts.part_ns,
                             static_cast<double>(counts[i]) * 1e9 / static_cast<double>(parts.part_ns)});
    rate.points.push_back({parts.begin_ns + counts.size() * parts.part_ns, 0});
    rates.push_back(std::move(rate));
  }
  return rates;
}

}  // namespace hm::exports
