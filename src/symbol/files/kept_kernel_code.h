// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/bytes.h"
#include "symbol/files/elf_module.h"

namespace hm::symbol {

// The code of a kernel that was kept (keep_kernel()), or of one of its modules. Addresses are relative to its
// beginning, as those of its symbols.
class KeptKernelCode {
 public:
  // `module`: empty for the kernel itself. Returns nullopt if the code was not kept.
  static std::optional<KeptKernelCode> open(const std::string& build_id, std::string_view module,
                                            DebugFiles& debug_files);

  [[nodiscard]] Bytes at(uint64_t address, uint64_t size) const {
    return image_.bytes_at(start_ + address, size);
  }
  [[nodiscard]] Machine machine() const { return image_.machine(); }

 private:
  KeptKernelCode(ElfModule image, uint64_t start) : image_(std::move(image)), start_(start) {}

  ElfModule image_;
  uint64_t start_;
};

}  // namespace hm::symbol
