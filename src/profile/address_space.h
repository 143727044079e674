// SPDX-License-Identifier: MIT
// The memory mappings of a process at one moment of the recording.
#pragma once

#include <cstdint>
#include <map>
#include <memory>

namespace hm::profile {

// Valid for x86-64 and for all other architectures with kernel and user code in one address space.
[[nodiscard]] inline bool is_kernel_address(uint64_t address) { return address >> 63 != 0; }

// Whether memory over code of a file has the same code, which the recorder compares.
enum class SameCode : uint8_t { kUnknown, kYes, kNo };

struct Mapping {
  uint64_t start = 0;
  uint64_t end = 0;     // first address after it
  uint64_t offset = 0;  // offset in the object that corresponds to `start`
  uint32_t dso = 0;
  bool executable = true;
  uint64_t shared_file = 0;  // identifies the file of memory shared between processes; 0: private
  bool in_memory = false;    // of no file: anonymous memory, or a file of huge pages
  SameCode same_code = SameCode::kUnknown;
};

// Copies share their mappings until one of them changes (copy on write), so a fork is cheap.
class AddressSpace {
 public:
  // Adds a mapping and unmaps the ranges it overlaps, like mmap(2) with MAP_FIXED. Ignores a mapping of
  // length 0. Returns the number of mappings that had to be copied first.
  size_t add(const Mapping& mapping);
  void clear() { mappings_ = nullptr; }
  [[nodiscard]] const Mapping* find(uint64_t address) const;
  // Returns the last mapping that starts at or below `address`; nullptr if there is none.
  [[nodiscard]] const Mapping* at_or_below(uint64_t address) const;
  // Returns the first mapping that starts above `address`; nullptr if there is none.
  [[nodiscard]] const Mapping* above(uint64_t address) const;
  [[nodiscard]] size_t size() const { return mappings_ == nullptr ? 0 : mappings_->size(); }

 private:
  using ByStart = std::map<uint64_t, Mapping>;
  static void cut(ByStart& mappings, uint64_t start, uint64_t end);

  std::shared_ptr<ByStart> mappings_;
};

}  // namespace hm::profile
