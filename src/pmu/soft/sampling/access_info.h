// SPDX-License-Identifier: MIT
// The kind of a data access: known when code is translated, and packed into the word that translated code
// passes to the models at each access. Freestanding.
#pragma once

#include <stdint.h>

#include "record/extension.h"

namespace hm::soft {

class AccessInfo {
 public:
  constexpr AccessInfo() = default;
  // `bytes`: less than 4096. `then_stores`: a load by an instruction that later stores to the address.
  constexpr AccessInfo(uint32_t bytes, record::AccessKind kind, bool locked, bool then_stores = false)
      : packed_(bytes | static_cast<uint32_t>(kind) << kKindShift | (locked ? kLocked : 0u)) {
    bool stores = kind == record::AccessKind::kStore || kind == record::AccessKind::kReadModifyWrite;
    if (stores || then_stores) packed_ |= kWrites;
  }

  [[nodiscard]] constexpr uint32_t bytes() const { return packed_ & 0xfff; }
  [[nodiscard]] constexpr record::AccessKind kind() const {
    return static_cast<record::AccessKind>(packed_ >> kKindShift & 7);
  }
  [[nodiscard]] constexpr bool locked() const { return (packed_ & kLocked) != 0; }
  [[nodiscard]] constexpr bool writes() const { return (packed_ & kWrites) != 0; }

  // Whether the kernel makes the access in a system call, on behalf of the program.
  [[nodiscard]] constexpr bool by_kernel() const { return (packed_ & kByKernel) != 0; }
  static constexpr AccessInfo of_kernel(uint32_t bytes, bool writes) {
    AccessInfo info(bytes, writes ? record::AccessKind::kStore : record::AccessKind::kLoad, false);
    info.packed_ |= kByKernel;
    return info;
  }

  [[nodiscard]] constexpr uint32_t pack() const { return packed_; }
  static constexpr AccessInfo unpack(uint64_t packed) {
    AccessInfo info;
    info.packed_ = static_cast<uint32_t>(packed);
    return info;
  }

 private:
  static constexpr unsigned kKindShift = 12;
  static constexpr uint32_t kWrites = 1u << 15, kLocked = 1u << 16, kByKernel = 1u << 17;
  uint32_t packed_ = 0;
};

}  // namespace hm::soft
