// SPDX-License-Identifier: MIT
// The columns that every table of samples begins with: share and samples, for each event.
#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "profile/event_counts.h"
#include "profile/latencies.h"
#include "view/text/format.h"
#include "view/text/table.h"

namespace hm::text {

// "12.3% ±0.4"; "-" where there is no share.
[[nodiscard]] std::string share_text(const std::optional<profile::Share>& share);

// Those that get columns: an event without samples gets none, unless none has any.
template <typename Event>
[[nodiscard]] std::vector<size_t> events_shown(const std::vector<Event>& events) {
  bool any = std::ranges::any_of(events, [](const Event& event) { return event.samples != 0; });
  std::vector<size_t> shown;
  for (size_t i = 0; i < events.size(); ++i) {
    if (!any || events[i].samples != 0) shown.push_back(i);
  }
  return shown;
}

// `Event` has a name and samples, `Count` samples and a share. With several events the share is headed by the
// event's name, and the samples may be left out of a narrow table.
template <typename Event>
void add_count_headings(const std::vector<Event>& events, std::vector<Table::Heading>& headings) {
  std::vector<size_t> shown = events_shown(events);
  bool several = shown.size() > 1;
  for (size_t event : shown) {
    headings.push_back({several ? printable(events[event].name) : "share"});
    headings.push_back({"samples", Align::kRight, several});
  }
}

// What has no sample stays blank, if wanted: a table of instructions is read better so.
template <typename Event, typename Count>
void add_count_cells(const std::vector<Event>& events, const std::vector<Count>& counts,
                     bool blank_where_none, std::vector<std::string>& cells) {
  for (size_t event : events_shown(events)) {
    bool blank = blank_where_none && counts[event].samples == 0;
    cells.push_back(blank ? "" : share_text(counts[event].share));
    cells.push_back(blank ? "" : grouped(counts[event].samples));
  }
}

// Cycles that accesses waited: the median, 90 %, 99 % and the longest; blank where none was recorded.
void add_latency_headings(std::vector<Table::Heading>& headings);
void add_latency_cells(const std::optional<profile::Latency>& latency, std::vector<std::string>& cells);

}  // namespace hm::text
