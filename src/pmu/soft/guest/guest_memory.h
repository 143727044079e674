// SPDX-License-Identifier: MIT
// The place of the guest's memory in QEMU's.
#pragma once

#include <cstdint>

namespace hm::soft::guest {

class GuestMemory {
 public:
  // Finds the memory in /proc/self/maps. Returns false if it is not there.
  bool find();

  // The guest's physical address of a byte at an address of QEMU's; kNone if it is not the guest's memory.
  [[nodiscard]] uint64_t physical(const void* host) const;

  // The eight bytes at a physical address; 0 if it is not the guest's memory.
  [[nodiscard]] uint64_t load(uint64_t physical) const;

  static constexpr uint64_t kNone = ~uint64_t{0};
  // The name of QEMU's memory object (-object memory-backend-memfd), as /proc/self/maps shows it.
  static constexpr char kName[] = "/memfd:memory-backend-memfd";

 private:
  [[nodiscard]] bool is_split() const { return end_ - start_ >= kMostLow; }

  // The machine type q35 puts memory beyond `kLow` above 4 GiB, if all of it does not fit below `kMostLow`.
  static constexpr uint64_t kMostLow = 0xb000'0000, kLow = 0x8000'0000, kHigh = uint64_t{1} << 32;

  uint64_t start_ = 0, end_ = 0;
};

}  // namespace hm::soft::guest
