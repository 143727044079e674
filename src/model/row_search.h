// SPDX-License-Identifier: MIT
// Looks for a tag in a set's row. Freestanding.
#pragma once

#include <stdint.h>

namespace hm::model {

// Rows are whole vectors of 16 bytes; what is left over at their ends never equals a tag.
template <typename Tag>
class RowSearch {
 public:
  static constexpr uint32_t kLanes = 16 / sizeof(Tag);
  typedef Tag Vector __attribute__((vector_size(16), may_alias, aligned(sizeof(Tag))));

  static constexpr uint32_t stride(uint32_t ways) { return (ways + kLanes - 1) / kLanes * kLanes; }

  // A bit for each place of the row that holds `tag`. The whole row is compared before anything is decided: a
  // branch for each vector would be mispredicted more often than it saves work. Unrolled for the most common
  // lengths.
  static uint64_t matches(const Tag* row, uint32_t stride, Tag tag) {
    return stride == 8    ? unrolled<8>(row, tag)
           : stride == 12 ? unrolled<12>(row, tag)
           : stride == 16 ? unrolled<16>(row, tag)
           : stride == 24 ? unrolled<24>(row, tag)
                          : any_length(row, stride, tag);
  }

 private:
  template <uint32_t kStride>
  static uint64_t unrolled(const Tag* row, Tag tag) {
    Vector wanted = Vector{} + tag;
    uint64_t found = 0;
#pragma GCC unroll 12
    for (uint32_t i = 0; i < kStride; i += kLanes) {
      found |= lane_mask(*reinterpret_cast<const Vector*>(row + i) == wanted) << i;
    }
    return found;
  }
  static uint64_t any_length(const Tag* row, uint32_t stride, Tag tag) {
    Vector wanted = Vector{} + tag;
    uint64_t found = 0;
    for (uint32_t i = 0; i < stride; i += kLanes) {
      found |= lane_mask(*reinterpret_cast<const Vector*>(row + i) == wanted) << i;
    }
    return found;
  }

  // A bit for each lane that is all ones.
  template <typename V>
  static uint64_t lane_mask(V equal) {
    if constexpr (sizeof(Tag) == 4) {
      typedef float Floats __attribute__((vector_size(16)));
      return static_cast<uint64_t>(__builtin_ia32_movmskps(reinterpret_cast<Floats>(equal)));
    } else {
      typedef double Doubles __attribute__((vector_size(16)));
      return static_cast<uint64_t>(__builtin_ia32_movmskpd(reinterpret_cast<Doubles>(equal)));
    }
  }
};

}  // namespace hm::model
