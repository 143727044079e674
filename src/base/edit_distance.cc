// SPDX-License-Identifier: MIT
#include "base/edit_distance.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace hm {

size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<size_t> before(b.size() + 1), last(b.size() + 1), row(b.size() + 1);
  for (size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (size_t i = 1; i <= a.size(); ++i) {
    std::swap(before, last);
    std::swap(last, row);
    row[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      size_t substituted = last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      row[j] = std::min({substituted, last[j] + 1, row[j - 1] + 1});
      bool exchanged = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (exchanged) row[j] = std::min(row[j], before[j - 2] + 1);
    }
  }
  return row[b.size()];
}

void NearestWord::consider(std::string_view candidate) {
  // The distance is at least the difference of the lengths. Computing it takes time proportional to the
  // product of the lengths, and the word may come from an untrusted source.
  size_t longer = std::max(word_.size(), candidate.size()),
         shorter = std::min(word_.size(), candidate.size());
  if (longer - shorter >= least_) return;
  size_t distance = edit_distance(word_, candidate);
  if (distance >= least_) return;
  least_ = distance;
  found_ = candidate;
}

}  // namespace hm
