// SPDX-License-Identifier: MIT
// Allocation sites of the sampled heap blocks, as a sort key.
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

  // Returns, for each sample, the index of its site. The last two indices stand for blocks with an unknown
  // site and for data outside heap blocks.
  [[nodiscard]] const std::vector<uint32_t>& column() const { return column_; }
  [[nodiscard]] size_t values() const { return texts_.size(); }
  // Returns "parse (json.c:12)", or the function alone if its line is unknown.
  [[nodiscard]] const std::string& text_of(size_t sample) const { return texts_[column_[sample]]; }

 private:
  std::vector<uint32_t> column_;
  std::vector<std::string> texts_;  // by index in the column
};

}  // namespace hm::hotspots
