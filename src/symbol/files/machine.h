// SPDX-License-Identifier: MIT
// The processor that an object's code is for.
#pragma once

#include <elf.h>

#include <cstdint>
#include <string>
#include <string_view>

namespace hm::symbol {

struct Machine {
  uint16_t elf = EM_X86_64;  // EM_* of elf.h
  bool is_64_bit = true;
  bool is_big_endian = false;

  [[nodiscard]] bool is_x86_64() const { return elf == EM_X86_64; }
  bool operator==(const Machine&) const = default;
};

// Returns the usual name: "arm64", "32-bit x86", "RISC-V"; "machine 250" for one without a name here.
[[nodiscard]] std::string name_of(const Machine& machine);

// Returns EM_* for the architecture as uname(2) names it, "aarch64"; EM_NONE if it is not known here.
[[nodiscard]] uint16_t elf_machine_of(std::string_view arch);

// What the bytes at an address are.
struct CodeKind {
  enum class Content : uint8_t { kCode, kThumb, kData };  // kThumb: 32-bit ARM's short instructions

  Machine machine{};
  Content content = Content::kCode;
  uint64_t end = UINT64_MAX;  // address of the next change of the content, if one is known
};

}  // namespace hm::symbol
