// SPDX-License-Identifier: MIT
// The code of the guest's kernel and its modules, as it runs: the kernel has patched it. An ELF file with a
// segment for each of them, like /proc/kcore.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "pmu/soft/guest/kernel_memory.h"

namespace hm::soft::guest {

struct CodeRange {
  uint64_t start, bytes;
};

// Returns the ranges of the kernel's own code, first, and of its modules. `kallsyms`, `modules`: contents of
// these files of /proc.
[[nodiscard]] std::vector<CodeRange> code_ranges(std::string_view kallsyms, std::string_view modules);

// Pages that are not mapped are zero.
[[nodiscard]] std::string kernel_code(const KernelMemory& memory, const std::vector<CodeRange>& ranges);

}  // namespace hm::soft::guest
