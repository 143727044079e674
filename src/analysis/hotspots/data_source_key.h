// SPDX-License-Identifier: MIT
// What samples of memory accesses say of who answered, as sort keys.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "analysis/hotspots/sort_key.h"
#include "profile/profile.h"

namespace hm::hotspots {

class DataSourceKey {
 public:
  explicit DataSourceKey(const profile::Profile& profile);

  // Of each sample: the number of its data source.
  [[nodiscard]] const std::vector<uint32_t>& column() const { return column_; }
  [[nodiscard]] size_t values() const { return sources_.size(); }
  // `key`: one of is_of_data_source().
  [[nodiscard]] std::string text_of(SortKey key, size_t sample) const;

 private:
  std::vector<uint32_t> column_;
  std::vector<uint64_t> sources_;  // by number; 0 where a sample has none
};

}  // namespace hm::hotspots
