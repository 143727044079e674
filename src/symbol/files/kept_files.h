// SPDX-License-Identifier: MIT
// Files that recordings need and that are gone since: programs of `go run`, or built anew. They lie where
// perf keeps them, by build-id: FOLDER/.build-id/xx/yyyy/elf, FOLDER being PERF_BUILDID_DIR or ~/.debug
// (perf-buildid-cache(1)). docs/decisions/39-files-that-are-gone-are-kept.md.
#pragma once

#include <string>

#include "base/result.h"

namespace hm::symbol {

// Empty if no such file is kept. `build_id`: untrusted.
[[nodiscard]] std::string kept_file(const std::string& build_id);

// Copies the file that the descriptor has open, unless it is kept already. Returns its build-id, or, if it
// has none, a key made from its contents, of as many digits.
[[nodiscard]] Result<std::string> keep_file(int fd);

}  // namespace hm::symbol
