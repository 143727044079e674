// SPDX-License-Identifier: MIT
// What is mapped where in a process, at one moment of the recording.
#pragma once

#include <cstdint>
#include <map>
#include <memory>

namespace hm::profile {

// On x86-64, and on all others that have both in one address space.
[[nodiscard]] inline bool is_kernel_address(uint64_t address) { return address >> 63 != 0; }

struct Mapping {
  uint64_t start = 0;
  uint64_t end = 0;     // first address behind it
  uint64_t offset = 0;  // in the object, of `start`
  uint32_t dso = 0;
  bool executable = true;
  uint64_t shared_file = 0;  // of memory that processes share: tells its file from others; 0: private
};

// Copies share their mappings until one of them changes: a fork costs nothing.
class AddressSpace {
 public:
  // What it overlaps is unmapped, as mmap(2) with MAP_FIXED does. A mapping without length is passed over.
  // Returns how many mappings had to be copied first.
  size_t add(const Mapping& mapping);
  void clear() { mappings_ = nullptr; }
  [[nodiscard]] const Mapping* find(uint64_t address) const;
  // The last one that starts at `address` or below; nullptr where there is none.
  [[nodiscard]] const Mapping* at_or_below(uint64_t address) const;
  // The first one that starts above `address`; nullptr where there is none.
  [[nodiscard]] const Mapping* above(uint64_t address) const;
  [[nodiscard]] size_t size() const { return mappings_ == nullptr ? 0 : mappings_->size(); }

 private:
  using ByStart = std::map<uint64_t, Mapping>;
  static void cut(ByStart& mappings, uint64_t start, uint64_t end);

  std::shared_ptr<ByStart> mappings_;
};

}  // namespace hm::profile
