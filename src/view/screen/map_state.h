// SPDX-License-Identifier: MIT
// The state of the screen of `hardmeter map -p`, and how keys change it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "view/screen/key_table.h"

namespace hm::screen {

struct MapState {
  enum class Mode : uint8_t { kMap, kHelp };

  Mode mode = Mode::kMap;
  size_t back = 0;    // number of newest windows that are hidden; 0: new windows are shown as they come
  size_t scroll = 0;  // lines above the screen: of the text below the map, or of the help
  std::string level;  // of the cache: "l2"; empty: the one that the user has described
  int scale = 0;      // the displayed cache has 2^scale times as many sets
  bool sets = false;  // single sets are displayed, not regions of pages
  bool finished = false;

  bool operator==(const MapState&) const = default;
};

struct MapExtent {
  size_t windows = 0;              // measured windows
  uint64_t all_sets = 0;           // sets of the displayed cache
  uint64_t max_sets = UINT64_MAX;  // of the largest cache that can be displayed
  size_t page = 1;                 // lines on the screen
  size_t lines = 0;                // of the text below the map, or of the help
};

// Returns the state after a key (picture.h).
[[nodiscard]] MapState pressed(MapState state, int key, const MapExtent& extent);
[[nodiscard]] std::vector<KeyText> map_keys();

}  // namespace hm::screen
