// SPDX-License-Identifier: MIT
#include "symbol/code/instruction.h"

namespace hm::symbol {

uint64_t instruction_alignment(const CodeKind& kind) {
  if (kind.content == CodeKind::Content::kThumb) return sizeof(uint16_t);
  switch (kind.machine.elf) {
    case EM_X86_64:
    case EM_386:
      return 1;
    case EM_S390:
    case EM_RISCV:
      return sizeof(uint16_t);
    default:
      return sizeof(uint32_t);
  }
}

}  // namespace hm::symbol
