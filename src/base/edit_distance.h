// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace hm {

// Levenshtein distance, for "did you mean".
[[nodiscard]] size_t edit_distance(std::string_view a, std::string_view b);

// The first of the candidates that are nearest to a word.
class NearestWord {
 public:
  // What is `limit` or more away was not meant.
  NearestWord(std::string_view word, size_t limit) : word_(word), least_(limit) {}

  void consider(std::string_view candidate);
  // Empty where none is near.
  [[nodiscard]] const std::string& found() const { return found_; }

 private:
  std::string word_;
  size_t least_;
  std::string found_;
};

}  // namespace hm
