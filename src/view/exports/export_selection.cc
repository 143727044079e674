// SPDX-License-Identifier: MIT
#include "view/exports/export_selection.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <linux/perf_event.h>

#include <algorithm>
#include <map>
#include <utility>

namespace hm::exports {

std::vector<uint32_t> events_of(const Selection& selection) {
  std::vector<bool> present(selection.profile.events.size(), selection.samples.empty());
  for (size_t sample : selection.samples) present[selection.profile.samples.event[sample]] = true;
  std::vector<uint32_t> events;
  for (uint32_t event = 0; event < present.size(); ++event) {
    if (present[event]) events.push_back(event);
  }
  return events;
}

Status check_one_event(const Selection& selection) {
  if (selection.samples.empty()) return {};
  std::vector<std::string> names;
  for (uint32_t event : events_of(selection)) names.push_back(selection.profile.events[event].name);
  if (names.size() == 1) return {};
  return make_error(ErrorCode::kInvalidArgument,
                    "the format contains one event, and the recording has samples of {}: choose one with -e",
                    fmt::join(names, ", "));
}

Weights::Weights(const Selection& selection)
    : profile_(selection.profile), has_periods_(selection.profile.events.size(), true) {
  const profile::Samples& samples = profile_.samples;
  for (size_t sample : selection.samples) {
    if (!samples.period.at(sample)) has_periods_[samples.event[sample]] = false;
  }
}

uint64_t Weights::of(size_t sample) const {
  return has_periods_[profile_.samples.event[sample]] ? profile_.samples.events_of(sample) : 1;
}

bool Weights::are_nanoseconds(uint32_t event) const {
  const perf_event_attr& attr = profile_.events[event].attr;
  bool is_clock = attr.type == PERF_TYPE_SOFTWARE &&
                  (attr.config == PERF_COUNT_SW_CPU_CLOCK || attr.config == PERF_COUNT_SW_TASK_CLOCK);
  return is_clock && has_periods_[event];
}

std::vector<Series> series_of(const Selection& selection) {
  std::map<std::pair<uint32_t, uint32_t>, std::vector<size_t>> by_key;
  const profile::Samples& samples = selection.profile.samples;
  for (size_t sample : selection.samples)
    by_key[{samples.event[sample], samples.thread[sample]}].push_back(sample);
  std::vector<Series> series;
  series.reserve(by_key.size());
  for (auto& [key, rows] : by_key) series.push_back({key.first, key.second, std::move(rows)});
  return series;
}

std::string thread_text(const profile::Thread& thread) {
  return fmt::format("{} ({})", thread.comm, thread.tid);
}

std::string program_of(const profile::Profile& profile) {
  std::vector<std::string> command = profile.origin().command;
  if (command.empty()) return {};
  return command.front().substr(command.front().rfind('/') + 1);
}

}  // namespace hm::exports
