// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <cstring>
#include <iterator>
#include <span>

#include "base/bytes.h"

namespace hm::record {

// View of 64-bit words in a recording. The words are not copied, may be unaligned, and are byte-swapped on
// reading if necessary.
class U64View {
 public:
  class Iterator {
   public:
    using value_type = uint64_t;
    using difference_type = std::ptrdiff_t;

    Iterator() = default;
    Iterator(const U64View* view, size_t index) : view_(view), index_(index) {}
    uint64_t operator*() const { return (*view_)[index_]; }
    Iterator& operator++() {
      ++index_;
      return *this;
    }
    Iterator operator++(int) {
      Iterator before = *this;
      ++index_;
      return before;
    }
    bool operator==(const Iterator& other) const { return index_ == other.index_; }

   private:
    const U64View* view_ = nullptr;
    size_t index_ = 0;
  };

  U64View() = default;
  // Ignores a remainder of fewer than 8 bytes.
  U64View(Bytes bytes, bool swap) : bytes_(bytes), swap_(swap) {}
  explicit U64View(std::span<const uint64_t> words) : bytes_(std::as_bytes(words)) {}

  [[nodiscard]] size_t size() const { return bytes_.size() / sizeof(uint64_t); }
  [[nodiscard]] bool empty() const { return size() == 0; }
  // `index` must be below size().
  [[nodiscard]] uint64_t operator[](size_t index) const {
    uint64_t word;
    std::memcpy(&word, bytes_.data() + index * sizeof word, sizeof word);
    return swap_ ? byte_swap(word) : word;
  }
  [[nodiscard]] Iterator begin() const { return {this, 0}; }
  [[nodiscard]] Iterator end() const { return {this, size()}; }

 private:
  Bytes bytes_;
  bool swap_ = false;
};

// Returns the next `count` words. If fewer remain, returns an empty view and marks the reader as failed.
[[nodiscard]] inline U64View take_words(ByteReader& in, uint64_t count) {
  bool there = count <= in.remaining() / sizeof(uint64_t);
  Bytes bytes = in.take(there ? static_cast<size_t>(count) * sizeof(uint64_t) : in.remaining() + 1);
  return {bytes, in.swaps()};
}

}  // namespace hm::record
