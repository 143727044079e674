// SPDX-License-Identifier: MIT
#include "symbol/files/vdso.h"

#include <elf.h>
#include <sys/auxv.h>

namespace hm::symbol {

Bytes vdso_image() {
  auto address = static_cast<uintptr_t>(getauxval(AT_SYSINFO_EHDR));
  if (address == 0) return {};
  const auto* header = reinterpret_cast<const Elf64_Ehdr*>(address);
  // The section headers are at the end of the image.
  size_t size = header->e_shoff + size_t{header->e_shnum} * header->e_shentsize;
  return {reinterpret_cast<const std::byte*>(address), size};
}

}  // namespace hm::symbol
