// SPDX-License-Identifier: MIT
// A first-level TLB of huge pages, fully associative, with as many entries as the modelled TLB for data:
// whether huge pages would avoid its misses. Freestanding.
#pragma once

#include <stdint.h>

#include "model/geometry.h"
#include "model/miss_classes.h"
#include "model/tlb.h"

namespace hm::model {

class HugePageTlb {
 public:
  HugePageTlb() = default;
  HugePageTlb(const MachineGeometry& geometry, MemorySource more, Arena& arena)
      : page_shift_(log2_of(geometry.page_bytes)) {
    if (exists())
      pages_ = LowerLevelClasses({1, static_cast<uint32_t>(geometry.dtlb.entries())}, more, arena);
  }

  // Returns false if the modelled pages are huge already.
  [[nodiscard]] bool exists() const { return page_shift_ < kHugePageShift; }

  // Called when the modelled TLB lacks `page`. Uses that hit there would hit here, too, but are not counted,
  // so a huge page may appear slightly too old.
  [[gnu::always_inline]] void use(uint64_t page) {
    held_ = exists() && page >> kPageNumberBits == 0 &&
            pages_.use(page >> (kHugePageShift - page_shift_)) == MissClass::kConflict;
  }
  // Returns true if the TLB had the huge page of the last use().
  [[nodiscard]] bool held() const { return held_; }

  // As for LowerLevelClasses, but `is_used` takes lines of 2^`line_shift` bytes.
  [[nodiscard]] bool has_grown() const { return pages_.has_grown(); }
  template <typename IsUsed>
  void forget_unused(IsUsed&& is_used, unsigned line_shift) {
    if (!exists()) return;
    unsigned shift = kHugePageShift - line_shift;
    pages_.forget_unused(
        [&](uint64_t first, uint64_t count) { return is_used(first << shift, count << shift); });
  }

 private:
  static constexpr unsigned kHugePageShift = 21;

  unsigned page_shift_ = kHugePageShift;
  bool held_ = false;
  LowerLevelClasses pages_;
};

}  // namespace hm::model
