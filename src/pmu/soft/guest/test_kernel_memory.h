// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "pmu/soft/guest/kernel_memory.h"

namespace hm::soft::guest {

// Memory of the kernel, of bytes that were written.
class FakeMemory {
 public:
  template <typename T>
  void put(uint64_t address, const T& value) {
    put_bytes(address, &value, sizeof(value));
  }
  void put_text(uint64_t address, const std::string& text) {
    put_bytes(address, text.c_str(), text.size() + 1);
  }
  [[nodiscard]] KernelMemory memory() const {
    return KernelMemory([this](uint64_t address, void* to, uint32_t bytes) {
      auto* out = static_cast<char*>(to);
      if (!bytes_.contains(address)) return false;
      for (uint32_t i = 0; i < bytes; ++i)
        out[i] = bytes_.contains(address + i) ? bytes_.at(address + i) : '\0';
      return true;
    });
  }

 private:
  void put_bytes(uint64_t address, const void* from, size_t count) {
    for (size_t i = 0; i < count; ++i) bytes_[address + i] = static_cast<const char*>(from)[i];
  }
  std::map<uint64_t, char> bytes_;
};

}  // namespace hm::soft::guest
