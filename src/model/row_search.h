// SPDX-License-Identifier: MIT
// Finds a tag in the row of a set. Freestanding.
#pragma once

#include <stdint.h>

namespace hm::model {

// Rows are whole vectors of 16 bytes; the unused entries at their ends never equal a tag.
template <typename Tag>
class RowSearch {
 public:
  static constexpr uint32_t kLanes = 16 / sizeof(Tag);
  typedef Tag Vector __attribute__((vector_size(16), may_alias, aligned(sizeof(Tag))));

  static constexpr uint32_t kAbsent = ~uint32_t{0};

  static constexpr uint32_t stride(uint32_t ways) { return (ways + kLanes - 1) / kLanes * kLanes; }

  // Returns the position of `tag`, or kAbsent. Compares the whole row before any branch, because a branch per
  // vector would cost more mispredictions than it saves. Unrolled for the most common lengths.
  [[gnu::always_inline]] static uint32_t find(const Tag* row, uint32_t stride, Tag tag) {
    uint64_t found = stride == 8    ? matches(row, 8, tag)
                     : stride == 16 ? matches(row, 16, tag)
                     : stride == 12 ? matches(row, 12, tag)
                     : stride == 24 ? matches(row, 24, tag)
                                    : matches(row, stride, tag);
    return found == 0 ? kAbsent : static_cast<uint32_t>(__builtin_ctzll(found)) / kBitsATag;
  }

 private:
  typedef int32_t Ints __attribute__((vector_size(16)));

  // The comparisons of four vectors are packed to one byte per four compared bytes, then to one bit.
  static constexpr uint32_t kBitsATag = sizeof(Tag) / 4;

  [[gnu::always_inline]] static uint64_t matches(const Tag* row, uint32_t stride, Tag tag) {
    Vector wanted = Vector{} + tag;
    uint64_t found = 0;
#pragma GCC unroll 2
    for (uint32_t i = 0; i < stride; i += 4 * kLanes) {
      const auto equal = [&](uint32_t vector) __attribute__((always_inline)) {
        uint32_t first = i + vector * kLanes;
        if (first >= stride) return Ints{};
        return reinterpret_cast<Ints>(*reinterpret_cast<const Vector*>(row + first) == wanted);
      };
      auto low = __builtin_ia32_packssdw128(equal(0), equal(1));
      auto high = __builtin_ia32_packssdw128(equal(2), equal(3));
      auto bits = static_cast<uint32_t>(__builtin_ia32_pmovmskb128(__builtin_ia32_packsswb128(low, high)));
      found |= uint64_t{bits} << (i * kBitsATag);
    }
    return found;
  }
};

}  // namespace hm::model
