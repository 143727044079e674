// SPDX-License-Identifier: MIT
// The kind of a data access: known when code is translated, and packed into the word that translated code
// passes to the models at each access. Freestanding.
#pragma once

#include <stdint.h>

#include "record/extension.h"

namespace hm::soft {

struct AccessInfo {
  uint32_t bytes;  // less than 4096
  record::AccessKind kind;
  bool locked;
  bool then_stores = false;  // a load whose instruction goes on to store there

  [[nodiscard]] constexpr bool writes() const {
    return kind == record::AccessKind::kStore || kind == record::AccessKind::kReadModifyWrite || then_stores;
  }

  [[nodiscard]] constexpr uint32_t pack() const {
    return bytes | static_cast<uint32_t>(kind) << 12 | (then_stores ? 1u << 15 : 0u) |
           (locked ? 1u << 16 : 0u);
  }
  static constexpr AccessInfo unpack(uint64_t packed) {
    return {static_cast<uint32_t>(packed & 0xfff), static_cast<record::AccessKind>((packed >> 12) & 7),
            ((packed >> 16) & 1) != 0, ((packed >> 15) & 1) != 0};
  }
};

}  // namespace hm::soft
