// SPDX-License-Identifier: MIT
// The share and samples columns that begin every table of samples, for each event.
#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "profile/event_counts.h"
#include "profile/latencies.h"
#include "view/text/format.h"
#include "view/text/table.h"

namespace hm::text {

// Returns for example "12.3% ±0.4", or "-" if there is no share. Intervals of shares have this form
// everywhere; a share of fewer than profile::Share::kMinSamples samples has none.
[[nodiscard]] std::string share_text(const std::optional<profile::Share>& share);

// Returns the events that get columns: those with samples, or all if none has samples.
template <typename Event>
[[nodiscard]] std::vector<size_t> events_shown(const std::vector<Event>& events) {
  bool any = std::ranges::any_of(events, [](const Event& event) { return event.samples != 0; });
  std::vector<size_t> shown;
  for (size_t i = 0; i < events.size(); ++i) {
    if (!any || events[i].samples != 0) shown.push_back(i);
  }
  return shown;
}

// A narrow table may lack the shares of all events but the first.
[[nodiscard]] inline Table::Heading share_heading(bool first, std::string title) {
  return {std::move(title), Align::kRight, first ? Presence::kAlways : Presence::kIfNeeded};
}

// `Event` has a name and samples, `Count` has samples and a share. With several events the event's name heads
// the share column. A narrow table may omit the samples column.
template <typename Event>
void add_count_headings(const std::vector<Event>& events, std::vector<Table::Heading>& headings) {
  std::vector<size_t> shown = events_shown(events);
  bool several = shown.size() > 1;
  for (size_t event : shown) {
    headings.push_back(
        share_heading(event == shown.front(), several ? printable(events[event].name) : "share"));
    headings.push_back({"samples", Align::kRight, Presence::kOptional});
  }
}

// Leaves cells without samples blank if `blank_where_none` is set, which makes tables of instructions easier
// to read.
template <typename Event, typename Count>
void add_count_cells(const std::vector<Event>& events, const std::vector<Count>& counts,
                     bool blank_where_none, std::vector<std::string>& cells) {
  for (size_t event : events_shown(events)) {
    bool blank = blank_where_none && counts[event].samples == 0;
    cells.push_back(blank ? "" : share_text(counts[event].share));
    cells.push_back(blank ? "" : grouped(counts[event].samples));
  }
}

// Latency of accesses in cycles: median, 90th and 99th percentile, maximum. Blank if no latency was recorded.
void add_latency_headings(std::vector<Table::Heading>& headings);
void add_latency_cells(const std::optional<profile::Latency>& latency, std::vector<std::string>& cells);

}  // namespace hm::text
