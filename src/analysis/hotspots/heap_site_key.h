// SPDX-License-Identifier: MIT
// Who allocated the heap blocks of samples, as a sort key.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "profile/allocating_code.h"
#include "profile/profile.h"

namespace hm::hotspots {

class HeapSiteKey {
 public:
  HeapSiteKey(const profile::Profile& profile, const symbol::Resolver& resolver);

  // Of each sample: the index of its site; behind them one for blocks whose site is not known, one for data
  // in no block.
  [[nodiscard]] const std::vector<uint32_t>& column() const { return column_; }
  [[nodiscard]] size_t values() const { return texts_.size(); }
  // "parse (json.c:12)", or the function alone where its line is not known.
  [[nodiscard]] const std::string& text_of(size_t sample) const { return texts_[column_[sample]]; }

 private:
  std::vector<uint32_t> column_;
  std::vector<std::string> texts_;  // by what the column says
};

}  // namespace hm::hotspots
