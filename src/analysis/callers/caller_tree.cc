// SPDX-License-Identifier: MIT
#include "analysis/callers/caller_tree.h"

#include <algorithm>

namespace hm::callers {

void CallerTree::add(size_t sample) {
  const profile::Samples& samples = profile_->samples;
  const std::vector<uint32_t>& own = frames_->at(samples.location[sample]);
  path_.assign(own.begin() + (row_ == RowKind::kPlace ? 1 : static_cast<ptrdiff_t>(own.size())), own.end());
  profile::Slice slice = samples.chain_of(sample);
  for (uint32_t i = 1; i < slice.count && path_.size() < kMostDepth; ++i) {  // entry 0 is the sampled place
    const std::vector<uint32_t>& frames = frames_->at(samples.chain_locations[slice.offset + i]);
    path_.insert(path_.end(), frames.begin(), frames.end());
  }
  ++nodes_[0].samples;
  uint32_t node = 0;
  for (uint32_t frame : path_) {
    node = child(node, frame);
    ++nodes_[node].samples;
  }
}

uint32_t CallerTree::child(uint32_t parent, uint32_t frame) {
  auto next = static_cast<uint32_t>(nodes_.size());
  auto [found, is_new] = children_.try_emplace(uint64_t{parent} << 32 | frame, next);
  if (is_new) {
    nodes_.push_back({frame, 0, {}});
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
    const FrameNumbers::Frame& frame = (*frames_)[child.frame];
    callers.push_back({frame.function, std::string(profile_->dsos[frame.dso].name()), frame.inlined,
                       frame.file, frame.line, child.samples, share, below(index, min_share)});
  }
  std::ranges::stable_sort(callers, std::greater(), &Caller::samples);
  return callers;
}

}  // namespace hm::callers
