// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <optional>

#include "base/bytes.h"

namespace hm::record {

// Finds records after damage: returns the first offset at or after `from` at which records continue; nullopt
// if there is none. Because any bytes may look like a header, three patterns count as proof. These are kChain
// consecutive records, at least two records that lead to the very end, or a FINISHED_ROUND, all bytes of
// which are known. Runs in linear time.
[[nodiscard]] std::optional<size_t> find_records(Bytes bytes, size_t from, bool swap);

}  // namespace hm::record
