// SPDX-License-Identifier: MIT
// Files whose contents depend on the machine, in reproducible runs.
#pragma once

#include <stdint.h>

namespace hm::soft::direct {

// Opens such a file: `path` is the address of its name in the program, `flags` are those of open(2). Returns
// false for other files, which the kernel opens.
bool open_defined_file(uint64_t path, uint64_t flags, int64_t& result);

}  // namespace hm::soft::direct
