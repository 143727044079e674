// SPDX-License-Identifier: MIT
// Memory that a process mapped over its own code, and whether the recorder found the same code there:
// programs copy their code to huge pages.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "record/features.h"

namespace hm::record {

struct CodeCopy {
  uint32_t pid = 0;
  uint64_t start = 0;
  uint64_t end = 0;
  bool has_same_code = false;

  auto operator<=>(const CodeCopy&) const = default;
};

// Returns the run description with these copies.
[[nodiscard]] std::string with_code_copies(const std::string& run, const std::vector<CodeCopy>& copies);

// Returns the copies in the run description; invalid ones are left out.
[[nodiscard]] std::vector<CodeCopy> code_copies(const Features& features);

}  // namespace hm::record
