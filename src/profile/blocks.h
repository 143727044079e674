// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace hm::profile {

// A range of a column of items: [offset, offset + count).
struct Slice {
  uint32_t offset = 0;
  uint32_t count = 0;
};

// A long column of items, divided into slices for the samples. The items are stored in blocks that do not
// move, so joining the columns of segments copies nothing. A slice lies within one block.
template <typename Item>
class Blocks {
 public:
  // Appends a block of items. Returns false and drops the items if their offsets would exceed 32 bits.
  bool append(std::vector<Item> block) {
    if (block.size() > std::numeric_limits<uint32_t>::max() - size_) return false;
    starts_.push_back(size_);
    size_ += block.size();
    blocks_.push_back(std::move(block));
    return true;
  }

  [[nodiscard]] size_t size() const { return size_; }
  [[nodiscard]] std::span<const Item> items(Slice slice) const {
    if (slice.count == 0) return {};
    size_t number = block_of(slice);
    return std::span(blocks_[number]).subspan(slice.offset - starts_[number], slice.count);
  }
  [[nodiscard]] std::span<Item> items(Slice slice) {
    if (slice.count == 0) return {};
    size_t number = block_of(slice);
    return std::span(blocks_[number]).subspan(slice.offset - starts_[number], slice.count);
  }
  [[nodiscard]] std::vector<std::vector<Item>>& blocks() { return blocks_; }
  [[nodiscard]] const std::vector<std::vector<Item>>& blocks() const { return blocks_; }

 private:
  [[nodiscard]] size_t block_of(Slice slice) const {
    auto behind = std::upper_bound(starts_.begin(), starts_.end(), slice.offset);
    return static_cast<size_t>(behind - starts_.begin()) - 1;
  }

  std::vector<std::vector<Item>> blocks_;
  std::vector<size_t> starts_;
  size_t size_ = 0;
};

}  // namespace hm::profile
