// SPDX-License-Identifier: MIT
// Checks call frame programs before elfutils executes them. elfutils allocates space for all registers up to
// the highest that a program names, up to 2 GiB, and for each remembered state. A few bytes of a damaged file
// could thus exhaust the memory.
#pragma once

#include "symbol/files/elf_module.h"

namespace hm::symbol {

// Returns true if every program that elfutils can find in .eh_frame uses little memory. Returns false also if
// the section, or its lookup table, has an unusual form.
[[nodiscard]] bool modest_eh_frame(const ElfModule& module);

// Checks .debug_frame in `elf`, which may be a separate debug file.
[[nodiscard]] bool modest_debug_frame(Elf* elf);

}  // namespace hm::symbol
