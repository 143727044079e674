// SPDX-License-Identifier: MIT
#include "analysis/flame/flame.h"

#include <algorithm>
#include <functional>
#include <unordered_map>
#include <utility>

#include "analysis/callers/frame_numbers.h"

namespace hm::flame {
namespace {

using profile::Profile;

constexpr size_t kMostDepth = 256;

struct TreeNode {
  uint32_t frame = 0;
  uint64_t samples = 0, self = 0;
  std::vector<uint32_t> children{};
};

// Paths of frames, those that begin alike together.
class Tree {
 public:
  void add(const std::vector<uint32_t>& path) {
    uint32_t node = 0;
    ++nodes_[0].samples;
    for (uint32_t frame : path) {
      node = child(node, frame);
      ++nodes_[node].samples;
    }
    ++nodes_[node].self;
  }
  [[nodiscard]] const std::vector<TreeNode>& nodes() const { return nodes_; }

  // A node has at least as many samples as what is below it: so those with the most are connected.
  [[nodiscard]] uint64_t least_samples(size_t limit) const {
    if (limit == 0 || nodes_.size() <= limit) return 0;
    std::vector<uint64_t> samples;
    samples.reserve(nodes_.size());
    for (const TreeNode& each : nodes_) samples.push_back(each.samples);
    auto last = samples.begin() + static_cast<ptrdiff_t>(limit);
    std::ranges::nth_element(samples, last, std::greater());
    return *last + 1;
  }

 private:
  uint32_t child(uint32_t parent, uint32_t frame) {
    auto next = static_cast<uint32_t>(nodes_.size());
    auto [found, is_new] = by_path_.try_emplace(uint64_t{parent} << 32 | frame, next);
    if (is_new) {
      nodes_.push_back({frame});
      nodes_[parent].children.push_back(next);
    }
    return found->second;
  }

  std::vector<TreeNode> nodes_{TreeNode{}};
  std::unordered_map<uint64_t, uint32_t> by_path_;  // by parent and frame
};

// From where the sample fell outwards.
void add_path(const Profile& profile, callers::FrameNumbers& frames, size_t sample,
              std::vector<uint32_t>& path) {
  path = frames.at(profile.samples.location[sample]);
  profile::Slice chain = profile.samples.chain_of(sample);
  for (uint32_t i = 1; i < chain.count && path.size() < kMostDepth; ++i) {  // entry 0 is the sampled place
    const auto& outer = frames.at(profile.samples.chain_locations[chain.offset + i]);
    path.insert(path.end(), outer.begin(), outer.end());
  }
}

class Builder {
 public:
  Builder(const Profile& profile, const callers::FrameNumbers& frames, const Tree& tree,
          uint64_t least_samples)
      : profile_(profile), frames_(frames), tree_(tree), least_samples_(least_samples) {}

  Node node(uint32_t index) {
    const TreeNode& from = tree_.nodes()[index];
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
  const Tree& tree_;
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
  Tree tree;
  Flame flame;
  flame.event = wanted.events.front();
  uint64_t events = 0;
  bool all_have_periods = true;
  std::vector<uint32_t> path;
  for (size_t i = 0; i < profile.samples.size(); ++i) {
    if (!filter->passes(profile, i)) continue;
    std::optional<uint64_t> period = profile.samples.period.at(i);
    all_have_periods = all_have_periods && period;
    events += period.value_or(0);
    flame.has_chains = flame.has_chains || profile.samples.chain_of(i).count > 1;
    add_path(profile, frames, i, path);
    if (!options.inverted) std::ranges::reverse(path);
    tree.add(path);
  }
  flame.samples = tree.nodes()[0].samples;
  if (flame.samples == 0)
    return make_error(ErrorCode::kNotFound, "no sample of {} is of what was asked for", flame.event);
  if (all_have_periods) flame.estimated = events;
  Builder builder(profile, frames, tree, tree.least_samples(options.limit));
  flame.root = builder.node(0);
  flame.left_out = builder.left_out();
  return flame;
}

}  // namespace hm::flame
