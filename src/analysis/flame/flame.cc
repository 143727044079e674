// SPDX-License-Identifier: MIT
#include "analysis/flame/flame.h"

#include <algorithm>
#include <functional>
#include <utility>

#include "analysis/callers/frame_numbers.h"
#include "analysis/callers/frame_tree.h"
#include "profile/event_counts.h"

namespace hm::flame {
namespace {

using callers::FrameTree;
using profile::Profile;

constexpr size_t kMostDepth = 256;

// Returns the minimum number of samples of the nodes to keep. A node has at least as many samples as its
// children, so the kept nodes are connected.
uint64_t least_samples(const FrameTree& tree, size_t limit) {
  if (limit == 0 || tree.nodes().size() <= limit) return 0;
  std::vector<uint64_t> samples;
  samples.reserve(tree.nodes().size());
  for (const FrameTree::Node& each : tree.nodes()) samples.push_back(each.samples);
  auto last = samples.begin() + static_cast<ptrdiff_t>(limit);
  std::ranges::nth_element(samples, last, std::greater());
  return *last + 1;
}

class Builder {
 public:
  Builder(const Profile& profile, const callers::FrameNumbers& frames, const FrameTree& tree,
          uint64_t least_samples)
      : profile_(profile), frames_(frames), tree_(tree), least_samples_(least_samples) {}

  Node node(uint32_t index) {
    const FrameTree::Node& from = tree_.nodes()[index];
    Node node;
    node.samples = from.samples;
    node.self = from.self;
    if (index == 0) {
      node.function = "all";
    } else {
      const callers::FrameNumbers::Frame& frame = frames_[from.frame];
      node.function = frame.function;
      node.dso = profile_.dsos[frame.dso].name();
      node.inlined = frame.inlined;
    }
    for (uint32_t child : from.children) {
      if (tree_.nodes()[child].samples < least_samples_)
        left_out_ += tree_.nodes()[child].samples;
      else
        node.children.push_back(this->node(child));
    }
    std::ranges::stable_sort(node.children, std::greater(), &Node::samples);
    return node;
  }
  [[nodiscard]] uint64_t left_out() const { return left_out_; }

 private:
  const Profile& profile_;
  const callers::FrameNumbers& frames_;
  const FrameTree& tree_;
  uint64_t least_samples_;
  uint64_t left_out_ = 0;
};

std::string event_with_most_samples(const Profile& profile) {
  std::vector<uint64_t> counts(profile.events.size());
  for (uint32_t event : profile.samples.event) ++counts[event];
  auto most = std::ranges::max_element(counts);
  return most == counts.end() ? "" : profile.events[static_cast<size_t>(most - counts.begin())].name;
}

}  // namespace

Result<Flame> find_flame(const Profile& profile, const symbol::Resolver& resolver, const Options& options) {
  profile::FilterOptions wanted = options.filter;
  if (wanted.events.empty() && !profile.events.empty()) wanted.events = {event_with_most_samples(profile)};
  if (wanted.events.size() != 1)
    return make_error(ErrorCode::kInvalidArgument, "a flame graph is of one event, not of {}",
                      wanted.events.size());
  Result<profile::Filter> filter = profile::Filter::make(profile, wanted);
  if (!filter) return filter.error();
  callers::FrameNumbers frames(profile, resolver, {});
  FrameTree tree;
  Flame flame;
  flame.event = wanted.events.front();
  profile::EventCount count;
  std::vector<uint32_t> path;
  for (size_t i = 0; i < profile.samples.size(); ++i) {
    if (!filter->passes(profile, i)) continue;
    count.add(profile.samples.period.at(i));
    flame.has_chains = flame.has_chains || profile.samples.chain_of(i).count > 1;
    path = frames.at(profile.samples.location[i]);
    frames.add_callers(i, kMostDepth, path);
    if (!options.inverted) std::ranges::reverse(path);
    tree.add(path);
  }
  flame.samples = count.samples;
  if (flame.samples == 0)
    return make_error(ErrorCode::kNotFound, "no sample of {} is of what was asked for", flame.event);
  flame.estimated = count.estimated;
  Builder builder(profile, frames, tree, least_samples(tree, options.limit));
  flame.root = builder.node(0);
  flame.left_out = builder.left_out();
  return flame;
}

}  // namespace hm::flame
