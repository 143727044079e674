// SPDX-License-Identifier: MIT
// Bar that shows how the cache is divided among the rows with the largest occupancy. Each of these rows keeps
// its letter and colour as long as it is one of the largest.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "analysis/occupancy/snapshot.h"
#include "view/screen/llc_texts.h"
#include "view/screen/picture.h"

namespace hm::screen {

class LlcBar {
 public:
  void update(const occupancy::Snapshot& snapshot);

  struct Mark {
    char letter;
    uint8_t color;
  };
  // Returns nullopt if the row holds too little to have a mark.
  [[nodiscard]] std::optional<Mark> mark_of(const std::string& key) const;

  // Draw the last snapshot in one line each: the bar, and its legend.
  void draw_bar(size_t row, size_t columns, bool drawing, Picture& picture) const;
  void draw_legend(size_t row, size_t columns, LlcUnit unit, Picture& picture) const;

 private:
  struct Part {
    std::string name;
    double bytes = 0;
    size_t number = 0;  // index of its letter
  };

  void give_letters(const std::vector<const occupancy::Row*>& largest);

  std::map<std::string, size_t> numbers_;  // by key
  std::vector<Part> parts_;                // the largest first
  double others_bytes_ = 0, free_bytes_ = 0;
};

}  // namespace hm::screen
