// SPDX-License-Identifier: MIT
// Finds the recent ones among the stamps of a touch table, several at a time: most lines have been touched,
// but not recently.
#pragma once

#include <stdint.h>

#include "pmu/soft/direct/core/touch_table.h"

namespace hm::soft::direct {

inline constexpr uint32_t kStampsAtOnce = 16;

// Returns a bit for each of kStampsAtOnce stamps: set if it is at most `window` ticks before `now`, modulo
// 2^32.
[[gnu::always_inline]] inline unsigned recent_stamps(const TouchStamp* first, TouchStamp now,
                                                     uint32_t window) {
  typedef TouchStamp Stamps __attribute__((vector_size(16), may_alias, aligned(sizeof(TouchStamp))));
  typedef int32_t Ints __attribute__((vector_size(16)));
  const auto recent = [&](uint32_t four) __attribute__((always_inline)) {
    return reinterpret_cast<Ints>(now - *reinterpret_cast<const Stamps*>(first + four) <= window);
  };
  auto low = __builtin_ia32_packssdw128(recent(0), recent(4));
  auto high = __builtin_ia32_packssdw128(recent(8), recent(12));
  return static_cast<unsigned>(__builtin_ia32_pmovmskb128(__builtin_ia32_packsswb128(low, high)));
}

}  // namespace hm::soft::direct
