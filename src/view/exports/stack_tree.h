// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

namespace hm::exports {

// Stacks as a tree, as several formats have them: each node is a number and the node of its caller.
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
  // In the order in which they came; a caller is before what it calls.
  [[nodiscard]] const std::vector<Node>& nodes() const { return nodes_; }

 private:
  std::map<std::pair<uint64_t, uint32_t>, uint32_t> numbers_;
  std::vector<Node> nodes_;
};

}  // namespace hm::exports
