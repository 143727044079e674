// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

namespace hm::callers {

// Prefix tree of call paths, which are lists of frame numbers, with their sample counts.
class FrameTree {
 public:
  struct Node {
    uint32_t frame = 0;
    uint64_t samples = 0, self = 0;      // samples of all paths through it; of the paths that end there
    double weight = 0, self_weight = 0;  // the weights of these samples
    std::vector<uint32_t> children{};
  };

  void add(const std::vector<uint32_t>& path, double weight = 1) {
    uint32_t node = 0;
    add_to(nodes_[0], weight);
    for (uint32_t frame : path) {
      node = child(node, frame);
      add_to(nodes_[node], weight);
    }
    ++nodes_[node].self;
    nodes_[node].self_weight += weight;
  }
  // Node 0 is the root; it stands for no frame.
  [[nodiscard]] const std::vector<Node>& nodes() const { return nodes_; }

 private:
  static void add_to(Node& node, double weight) {
    ++node.samples;
    node.weight += weight;
  }

  uint32_t child(uint32_t parent, uint32_t frame) {
    auto next = static_cast<uint32_t>(nodes_.size());
    auto [found, is_new] = children_.try_emplace(uint64_t{parent} << 32 | frame, next);
    if (is_new) {
      nodes_.push_back({frame});
      nodes_[parent].children.push_back(next);
    }
    return found->second;
  }

  std::vector<Node> nodes_{Node{}};
  std::unordered_map<uint64_t, uint32_t> children_;  // child node, by parent and frame
};

}  // namespace hm::callers
