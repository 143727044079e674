// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <string>

namespace hm::soft::guest {

// Reads the guest's memory at virtual addresses of its kernel.
class KernelMemory {
 public:
  // Copies `bytes` bytes from `address`; returns false if it is not mapped.
  using Read = std::function<bool(uint64_t address, void* to, uint32_t bytes)>;

  explicit KernelMemory(Read read) : read_(std::move(read)) {}

  bool copy(uint64_t address, void* to, uint32_t bytes) const { return read_(address, to, bytes); }

  // Returns 0 if nothing is mapped there.
  template <typename T = uint64_t>
  [[nodiscard]] T load(uint64_t address) const {
    T value{};
    return read_(address, &value, sizeof(value)) ? value : T{};
  }

  // Returns the characters up to the first NUL, `most` at most.
  [[nodiscard]] std::string text(uint64_t address, uint32_t most) const {
    std::string text(most, '\0');
    if (!read_(address, text.data(), most)) return {};
    text.resize(text.find('\0') == std::string::npos ? most : text.find('\0'));
    return text;
  }

 private:
  Read read_;
};

}  // namespace hm::soft::guest
