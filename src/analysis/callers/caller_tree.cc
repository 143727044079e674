// SPDX-License-Identifier: MIT
#include "analysis/callers/caller_tree.h"

#include <algorithm>

namespace hm::callers {

void CallerTree::add(size_t sample) { add(sample, row_ == RowKind::kPlace ? 1 : SIZE_MAX); }

void CallerTree::add(size_t sample, size_t own) {
  const std::vector<uint32_t>& here = frames_->at(profile_->samples.location[sample]);
  path_.assign(here.begin() + static_cast<ptrdiff_t>(std::min(own, here.size())), here.end());
  frames_->add_callers(sample, kMaxDepth, path_);
  tree_.add(path_, frames_->weight(sample));
}

std::vector<Caller> CallerTree::callers(double min_share) const { return below(0, min_share); }

std::vector<Caller> CallerTree::below(uint32_t node, double min_share) const {
  std::vector<Caller> callers;
  for (uint32_t index : tree_.nodes()[node].children) {
    const FrameTree::Node& child = tree_.nodes()[index];
    double share = child.weight / tree_.nodes()[0].weight;
    if (share < min_share) continue;
    const FrameNumbers::Frame& frame = (*frames_)[child.frame];
    callers.push_back({frame.function, std::string(profile_->dsos[frame.dso].name()), frame.inlined,
                       frame.file, frame.line, child.samples, share, below(index, min_share)});
  }
  std::ranges::stable_sort(callers, std::greater(), &Caller::samples);
  return callers;
}

}  // namespace hm::callers
