// SPDX-License-Identifier: MIT
#include "analysis/flame/flame.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <utility>

#include "analysis/callers/frame_numbers.h"
#include "analysis/callers/frame_tree.h"
#include "analysis/flame/owners.h"
#include "profile/event_counts.h"

namespace hm::flame {
namespace {

using callers::FrameTree;
using profile::Profile;

constexpr size_t kMaxDepth = 256;

// Returns the weight that a node must exceed to be among the `limit` heaviest, -1 if all are. A node weighs
// at least as much as each node below it, so the heaviest nodes are connected.
double weight_limit(const FrameTree& tree, size_t limit) {
  if (limit == 0 || tree.nodes().size() <= limit) return -1;
  std::vector<double> weights;
  weights.reserve(tree.nodes().size());
  for (const FrameTree::Node& each : tree.nodes()) weights.push_back(each.weight);
  auto last = weights.begin() + static_cast<ptrdiff_t>(limit);
  std::ranges::nth_element(weights, last, std::greater());
  return *last;
}

class Builder {
 public:
  Builder(const Profile& profile, const callers::FrameNumbers& frames, const Owners& owners,
          const FrameTree& tree, double weight_limit)
      : profile_(profile), frames_(frames), owners_(owners), tree_(tree), weight_limit_(weight_limit) {}

  Node node(uint32_t index) {
    const FrameTree::Node& from = tree_.nodes()[index];
    Node node;
    node.samples = from.samples;
    node.self = from.self;
    node.events = static_cast<uint64_t>(std::llround(from.weight));
    node.self_events = static_cast<uint64_t>(std::llround(from.self_weight));
    if (index == 0) {
      node.function = "all";
    } else if (const Owners::Owner* owner = owners_.of(from.frame)) {
      node.function = owner->name;
      node.kind = owner->kind;
    } else {
      const callers::FrameNumbers::Frame& frame = frames_[from.frame];
      node.function = frame.function;
      node.dso = profile_.dsos[frame.dso].name();
      node.inlined = frame.inlined;
    }
    for (uint32_t child : from.children) {
      if (tree_.nodes()[child].weight <= weight_limit_)
        left_out_ += tree_.nodes()[child].samples;
      else
        node.children.push_back(this->node(child));
    }
    std::ranges::stable_sort(node.children, std::greater(), &Node::events);
    return node;
  }
  [[nodiscard]] uint64_t left_out() const { return left_out_; }

 private:
  const Profile& profile_;
  const callers::FrameNumbers& frames_;
  const Owners& owners_;
  const FrameTree& tree_;
  double weight_limit_;
  uint64_t left_out_ = 0;
};

std::string event_with_most_samples(const Profile& profile) {
  std::vector<uint64_t> counts(profile.events.size());
  for (uint32_t event : profile.samples.event) ++counts[event];
  auto most = std::ranges::max_element(counts);
  return most == counts.end() ? "" : profile.events[static_cast<size_t>(most - counts.begin())].name;
}

}  // namespace

std::string_view name_of(NodeKind kind) {
  constexpr std::array<std::string_view, 3> kNames{"function", "process", "thread"};
  return kNames[static_cast<size_t>(kind)];
}

Result<Flame> find_flame(const Profile& profile, const symbol::Resolver& resolver, const Options& options) {
  profile::FilterOptions wanted = options.filter;
  if (wanted.events.empty() && !profile.events.empty()) wanted.events = {event_with_most_samples(profile)};
  if (wanted.events.size() != 1)
    return make_error(ErrorCode::kInvalidArgument, "a flame graph shows one event, not {}",
                      wanted.events.size());
  Result<profile::Filter> filter = profile::Filter::make(profile, wanted, &resolver);
  if (!filter) return filter.error();
  callers::FrameNumbers frames(profile, resolver, {});
  Owners owners(profile);
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
    frames.add_callers(i, kMaxDepth, path);
    if (options.processes) owners.add_to(profile.samples.thread[i], path);
    if (!options.inverted) std::ranges::reverse(path);
    tree.add(path, static_cast<double>(profile.samples.events_of(i)));
  }
  flame.samples = count.samples;
  if (flame.samples == 0)
    return make_error(ErrorCode::kNotFound, "no sample of {} passes the filters", flame.event);
  flame.estimated = count.estimated;
  Builder builder(profile, frames, owners, tree, weight_limit(tree, options.limit));
  flame.root = builder.node(0);
  flame.left_out = builder.left_out();
  return flame;
}

}  // namespace hm::flame
