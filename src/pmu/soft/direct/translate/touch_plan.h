// SPDX-License-Identifier: MIT
// Finds the accesses of a block that touching copies may omit. Consider accesses by the same registers, at
// addresses that begin less than a line apart. They lie in the lines of the lowest and the highest of them,
// so it suffices that these two touch their lines.
#pragma once

#include <stdint.h>

#include "pmu/soft/direct/translate/superblock.h"

namespace hm::soft::direct {

class TouchPlan {
 public:
  void make(const Superblock& block, uint32_t line_bytes);

  // Returns true if other accesses touch the line of access `i` of the step. kReturnAddress: the push of a
  // call.
  static constexpr unsigned kReturnAddress = kMaxAccesses;
  [[nodiscard]] bool is_covered(unsigned step, unsigned i) const { return (covered_[step] >> i & 1) != 0; }

 private:
  static constexpr unsigned kGroups = 4;

  struct Owner {
    uint8_t step = 0, access = 0;
  };
  // Accesses by the same registers; `lowest` and `highest` are to touch. If the block may be left behind one
  // of these, no later access can replace it: it stays.
  struct Group {
    bool open = false;
    bool lowest_stays = false, highest_stays = false;
    uint8_t base = kNoReg, index = kNoReg, scale = 0;
    int64_t low = 0, high = 0;
    Owner lowest{}, highest{};
  };

  void add(const Access& access, int64_t displacement, Owner owner);
  void cover(Owner owner) { covered_[owner.step] |= static_cast<uint8_t>(1u << owner.access); }
  void may_be_left();
  void follow(const Instruction& instruction);

  uint32_t line_bytes_ = 0;
  int64_t stack_moved_ = 0;  // movement of the stack pointer since the block's beginning
  unsigned next_ = 0;        // the group to be replaced next
  Group groups_[kGroups];
  uint8_t covered_[Superblock::kMaxSteps] = {};
};

}  // namespace hm::soft::direct
