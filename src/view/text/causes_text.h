// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "analysis/cause/cause.h"
#include "analysis/cause/worst_places.h"
#include "view/text/table.h"

namespace hm::text {

// Returns a paragraph for each location, hottest first, one event after the other.
[[nodiscard]] std::string causes(const cause::Causes& result, const Style& style);

// Returns the paragraph of one location.
[[nodiscard]] std::string place_of_event(const std::string& event, const cause::HotLocation& place,
                                         const Style& style);

// Returns the classes of a place's misses and its remedy, on one line.
[[nodiscard]] std::string cause_sentence(const cause::HotLocation& place);

// Returns how many of the event's counts may be too many, as a sentence: caches were empty in the model when
// the measurement of a running process began. Empty if these are few.
[[nodiscard]] std::string cold_text(const cause::EventCauses& event);

// Returns paragraphs for the most expensive locations of all events. Empty if there are none.
[[nodiscard]] std::string worst_places(const std::vector<cause::WorstPlace>& places, const Style& style);

// Returns a paragraph for each contested cache line. Empty if there are none.
[[nodiscard]] std::string contested_lines(const cause::ContestedLines& found, const Style& style);

}  // namespace hm::text
