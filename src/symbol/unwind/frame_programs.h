// SPDX-License-Identifier: MIT
// elfutils executes the programs of call frame information with room for each register up to the highest that
// they name, up to 2 GiB, and as often as they remember it: a few bytes of a file suffice for that. So what a
// file holds is looked through before elfutils may execute it.
#pragma once

#include "symbol/files/elf_module.h"

namespace hm::symbol {

// Whether every program that elfutils can find in .eh_frame takes little memory. False, too, where the
// section, or the table that leads into it, is not of the usual form.
[[nodiscard]] bool modest_eh_frame(const ElfModule& module);

// The same of .debug_frame in `elf`, which may be a separate debug file.
[[nodiscard]] bool modest_debug_frame(Elf* elf);

}  // namespace hm::symbol
