// SPDX-License-Identifier: MIT
#include "symbol/files/machine.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

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

uint16_t elf_machine_of(std::string_view arch) {
  struct Known {
    std::string_view arch;
    uint16_t machine;
  };
  constexpr std::array kKnown{Known{"x86_64", EM_X86_64},
                              Known{"aarch64", EM_AARCH64},
                              Known{"aarch64_be", EM_AARCH64},
                              Known{"riscv64", EM_RISCV},
                              Known{"ppc64le", EM_PPC64},
                              Known{"ppc64", EM_PPC64},
                              Known{"s390x", EM_S390},
                              Known{"mips64", EM_MIPS},
                              Known{"sparc64", EM_SPARCV9},
                              Known{"loongarch64", kLoongArch},
                              Known{"i386", EM_386},
                              Known{"i586", EM_386},
                              Known{"i686", EM_386}};
  if (arch.starts_with("armv")) return EM_ARM;
  const auto* found = std::ranges::find(kKnown, arch, &Known::arch);
  return found == kKnown.end() ? uint16_t{EM_NONE} : found->machine;
}

}  // namespace hm::symbol
