// SPDX-License-Identifier: MIT
#include "symbol/files/machine.h"

#include <fmt/format.h>

namespace hm::symbol {
namespace {

constexpr uint16_t kLoongArch = 258;  // EM_LOONGARCH, which older versions of elf.h lack

}  // namespace

std::string name_of(const Machine& machine) {
  switch (machine.elf) {
    case EM_X86_64:
      return "x86-64";
    case EM_386:
      return "32-bit x86";
    case EM_AARCH64:
      return "arm64";
    case EM_ARM:
      return "32-bit ARM";
    case EM_PPC64:
      return machine.is_big_endian ? "ppc64" : "ppc64le";
    case EM_PPC:
      return "32-bit PowerPC";
    case EM_S390:
      return machine.is_64_bit ? "s390x" : "s390";
    case EM_RISCV:
      return machine.is_64_bit ? "riscv64" : "riscv32";
    case EM_MIPS:
      return machine.is_64_bit ? "mips64" : "mips";
    case EM_SPARCV9:
      return "sparc64";
    case kLoongArch:
      return "loongarch64";
    default:
      return fmt::format("machine {} of elf.h", machine.elf);
  }
}

}  // namespace hm::symbol
