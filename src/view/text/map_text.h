// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "analysis/map/cache_map.h"
#include "view/text/table.h"

namespace hm::text {

// Returns a heat map with regions downwards and time to the right, and its legend. Below them: what the
// pressure means, and the crowded regions with the objects that crowd them.
[[nodiscard]] std::string map_view(const map::Map& map, const Style& style);

// The parts of the view, for a screen.

// A step of the heat map: a range of the ways needed.
struct HeatStep {
  char letter;
  const char* drawn;  // with drawing characters and colour
  int color;          // foreground colour by its SGR code (ECMA-48); 0: none
};
// Returns the character of the step, without the codes of its colour.
[[nodiscard]] std::string heat_cell(const HeatStep& step, const Style& style);

struct HeatRow {
  std::string name;  // "3", or "3-5" for several regions
  std::vector<const HeatStep*> cells;
  double mean = 0;  // ways needed
};
// Returns at most `max_rows` rows. A row of several regions shows the one that needs the most ways.
[[nodiscard]] std::vector<HeatRow> heat_rows(const map::Map& map, size_t max_rows);

struct HeatMeaning {
  const HeatStep* step;
  std::string ways;  // "to 4"
};
// Returns the meanings of the steps, fewest ways first.
[[nodiscard]] std::vector<HeatMeaning> heat_meanings(const map::Map& map);

// Returns one sentence: whether regions are crowded, which, and with what.
[[nodiscard]] std::string map_conclusion(const map::Map& map);
// Returns the cache: "L2: 1 MiB, 16 ways, lines of 64 bytes".
[[nodiscard]] std::string map_cache(const map::Map& map);
// Returns the cache, and what the map was made of.
[[nodiscard]] std::string map_source(const map::Map& map);
// Returns the estimated effects of remedies, and the crowded regions. Empty if nothing is crowded.
[[nodiscard]] std::string map_details(const map::Map& map);

}  // namespace hm::text
