// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace hm {

// Returns the number of letters to insert, remove or replace, or of neighbours to exchange, each at most once
// (optimal string alignment distance). Used for "did you mean" suggestions.
[[nodiscard]] size_t edit_distance(std::string_view a, std::string_view b);

// Finds the candidate nearest to a word; among equally near candidates, the first.
class NearestWord {
 public:
  // Ignores candidates at a distance of `limit` or more.
  NearestWord(std::string_view word, size_t limit) : word_(word), least_(limit) {}

  void consider(std::string_view candidate);
  // Returns an empty string if no candidate is near enough.
  [[nodiscard]] const std::string& found() const { return found_; }

 private:
  std::string word_;
  size_t least_;
  std::string found_;
};

}  // namespace hm
