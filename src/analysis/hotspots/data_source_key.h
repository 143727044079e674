// SPDX-License-Identifier: MIT
// Sort keys from the data sources of sampled memory accesses.
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

  // Returns, for each sample, the number of its data source.
  [[nodiscard]] const std::vector<uint32_t>& column() const { return column_; }
  [[nodiscard]] size_t values() const { return sources_.size(); }
  // `key` must satisfy is_of_data_source().
  [[nodiscard]] std::string text_of(SortKey key, size_t sample) const;

 private:
  std::vector<uint32_t> column_;
  std::vector<uint64_t> sources_;  // by number; 0 for samples without a data source
};

}  // namespace hm::hotspots
