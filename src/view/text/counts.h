// SPDX-License-Identifier: MIT
// The columns that every table of samples begins with: share and samples, for each event.
#pragma once

#include <string>
#include <vector>

#include "profile/event_counts.h"
#include "view/text/format.h"
#include "view/text/table.h"

namespace hm::text {

// "12.3% ±0.4"; "-" where there is no share.
[[nodiscard]] std::string share_text(const std::optional<profile::Share>& share);

// `Event` has a name, `Count` samples and a share. With several events the share is headed by the event's
// name, and the samples may be left out of a narrow table.
template <typename Event>
void add_count_headings(const std::vector<Event>& events, std::vector<Table::Heading>& headings) {
  bool several = events.size() > 1;
  for (const Event& event : events) {
    headings.push_back({several ? printable(event.name) : "share"});
    headings.push_back({"samples", Align::kRight, several});
  }
}

// What has no sample stays blank, if wanted: a table of instructions is read better so.
template <typename Count>
void add_count_cells(const std::vector<Count>& counts, bool blank_where_none,
                     std::vector<std::string>& cells) {
  for (const Count& count : counts) {
    bool blank = blank_where_none && count.samples == 0;
    cells.push_back(blank ? "" : share_text(count.share));
    cells.push_back(blank ? "" : grouped(count.samples));
  }
}

}  // namespace hm::text
