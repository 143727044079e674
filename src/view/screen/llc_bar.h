// SPDX-License-Identifier: MIT
// How the cache is divided among the rows that hold the most: each has a letter and a colour, and keeps them
// as long as it is one of them.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "analysis/occupancy/snapshot.h"
#include "view/screen/llc_words.h"
#include "view/screen/picture.h"

namespace hm::screen {

class LlcBar {
 public:
  void update(const occupancy::Snapshot& snapshot);

  struct Mark {
    char letter;
    uint8_t color;
  };
  // nullopt: it holds too little.
  [[nodiscard]] std::optional<Mark> mark_of(const std::string& key) const;

  // Of the last snapshot, a line each: the bar, and who is what.
  void draw_bar(size_t row, size_t columns, bool drawing, Picture& picture) const;
  void draw_legend(size_t row, size_t columns, LlcUnit unit, Picture& picture) const;

 private:
  struct Part {
    std::string name;
    double bytes = 0;
    size_t number = 0;  // of its letter
  };

  void give_letters(const std::vector<const occupancy::Row*>& largest);

  std::map<std::string, size_t> numbers_;  // by key
  std::vector<Part> parts_;                // the largest first
  double others_bytes_ = 0, free_bytes_ = 0;
};

}  // namespace hm::screen
