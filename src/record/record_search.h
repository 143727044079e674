// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <optional>

#include "base/bytes.h"

namespace hm::record {

// After damage: the first offset from `from` on at which records go on, nothing where none do. Because any
// bytes may look like a header, there must be kChain of them, each where the one before ends; or at least two
// that lead to the very end; or a FINISHED_ROUND, all of whose bytes are known. Linear in the bytes.
[[nodiscard]] std::optional<size_t> find_records(Bytes bytes, size_t from, bool swap);

}  // namespace hm::record
