// SPDX-License-Identifier: MIT
#include "analysis/hotspots/caller_tree.h"

#include <algorithm>

namespace hm::hotspots {

void CallerTree::add(size_t sample) {
  const profile::Samples& samples = profile_->samples;
  profile::Slice slice = samples.chain_of(sample);
  ++nodes_[0].samples;
  uint32_t node = 0;
  for (uint32_t i = 1; i < slice.count && i <= max_depth_; ++i) {  // entry 0 is the sampled place
    node = child(node, profile_->locations[samples.chain_locations[slice.offset + i]].function);
    ++nodes_[node].samples;
  }
}

uint32_t CallerTree::child(uint32_t parent, uint32_t function) {
  auto next = static_cast<uint32_t>(nodes_.size());
  auto [found, is_new] = children_.try_emplace(uint64_t{parent} << 32 | function, next);
  if (is_new) {
    nodes_.push_back({function, 0, {}});
    nodes_[parent].children.push_back(next);
  }
  return found->second;
}

std::vector<Caller> CallerTree::callers(double min_share) const { return below(0, min_share); }

std::vector<Caller> CallerTree::below(uint32_t node, double min_share) const {
  std::vector<Caller> callers;
  for (uint32_t index : nodes_[node].children) {
    const Node& child = nodes_[index];
    double share = static_cast<double>(child.samples) / static_cast<double>(nodes_[0].samples);
    if (share < min_share) continue;
    const profile::FunctionRow& function = profile_->functions[child.function];
    callers.push_back({function.name, std::string(profile_->dsos[function.dso].name()), child.samples, share,
                       below(index, min_share)});
  }
  std::ranges::stable_sort(callers, std::greater(), &Caller::samples);
  return callers;
}

}  // namespace hm::hotspots
