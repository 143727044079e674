// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

namespace hm::exports {

// Tree of stacks, as several formats store them: each node has a frame number and the index of its caller's
// node.
class StackTree {
 public:
  struct Node {
    std::optional<uint32_t> parent;
    uint32_t frame = 0;
  };

  uint32_t child(std::optional<uint32_t> parent, uint32_t frame) {
    uint64_t above = parent ? uint64_t{*parent} + 1 : 0;
    auto [found, is_new] = numbers_.try_emplace({above, frame}, static_cast<uint32_t>(nodes_.size()));
    if (is_new) nodes_.push_back({parent, frame});
    return found->second;
  }
  // Nodes in the order of their creation; a caller comes before its callees.
  [[nodiscard]] const std::vector<Node>& nodes() const { return nodes_; }

 private:
  std::map<std::pair<uint64_t, uint32_t>, uint32_t> numbers_;
  std::vector<Node> nodes_;
};

}  // namespace hm::exports
