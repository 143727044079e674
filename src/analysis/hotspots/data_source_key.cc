// SPDX-License-Identifier: MIT
#include "analysis/hotspots/data_source_key.h"

#include <unordered_map>

#include "profile/data_source.h"

namespace hm::hotspots {

DataSourceKey::DataSourceKey(const profile::Profile& profile) {
  const profile::Samples& samples = profile.samples;
  std::unordered_map<uint64_t, uint32_t> numbers;
  for (size_t sample = 0; sample < samples.size(); ++sample) {
    uint64_t source = samples.data_source.at(sample).value_or(0);
    auto [found, is_new] = numbers.try_emplace(source, static_cast<uint32_t>(sources_.size()));
    if (is_new) sources_.push_back(source);
    column_.push_back(found->second);
  }
}

std::string DataSourceKey::text_of(SortKey key, size_t sample) const {
  uint64_t source = sources_[column_[sample]];
  switch (key) {
    case SortKey::kMem:
      return profile::level_of(source);
    case SortKey::kSnoop:
      return profile::snoop_of(source);
    case SortKey::kTlb:
      return profile::tlb_of(source);
    case SortKey::kLocked:
      return profile::locked_of(source);
    default:
      return profile::access_of(source);
  }
}

}  // namespace hm::hotspots
