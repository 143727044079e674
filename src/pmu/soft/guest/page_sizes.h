// SPDX-License-Identifier: MIT
// The sizes of the kernel's pages, from the guest's page tables (Intel SDM volume 3, section 4.5).
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <utility>

namespace hm::soft::guest {

class PageSizes {
 public:
  // Returns the eight bytes at a physical address; 0 if it is not memory.
  using Load = std::function<uint64_t(uint64_t physical)>;

  explicit PageSizes(Load load) : load_(std::move(load)) {}

  // Returns true if the kernel's address is in a page of 2 MiB or 1 GiB. `table`: the physical address of the
  // page table, as in CR3; 0: not known, and false is returned.
  [[nodiscard]] bool is_large(uint64_t table, uint64_t address);
  // Page tables may have changed.
  void forget() { known_ = {}; }

 private:
  static constexpr unsigned kShift = 21;
  static constexpr uint64_t kKnown = 4096;
  struct Known {
    uint64_t number = 0;  // of the 2 MiB of addresses; 0: none, because the kernel's are not the first
    bool is_large = false;
  };

  [[nodiscard]] bool walk(uint64_t table, uint64_t address) const;

  Load load_;
  std::array<Known, kKnown> known_{};  // by the low bits of the number
};

}  // namespace hm::soft::guest
