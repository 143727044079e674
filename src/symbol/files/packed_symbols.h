// SPDX-License-Identifier: MIT
#pragma once

struct Elf;

namespace hm::symbol {

// A stripped file may hold symbols in .gnu_debugdata, an ELF file that xz packed ("MiniDebugInfo" in gdb's
// manual). elfutils unpacks it into memory, whatever its size: true where that takes a size that symbols may
// have, or where there is nothing of the kind.
[[nodiscard]] bool packed_symbols_are_modest(Elf* elf);

}  // namespace hm::symbol
