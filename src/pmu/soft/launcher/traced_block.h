// SPDX-License-Identifier: MIT
// A block that the copying engine has reported.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/bytes.h"
#include "pmu/soft/ring/block_record.h"

namespace hm::soft {

struct TracedStep {
  BlockStep what;
  Bytes source;  // copied instruction
  Bytes hot;     // hot and cold code, as much as the record holds
  Bytes cold;
};

// A part of a block's steps. Their bytes are views of the record.
struct TracedBlock {
  BlockRecord what;
  std::vector<TracedStep> steps;
};

// Returns nullopt if the record is malformed: a process may have overwritten its ring.
[[nodiscard]] std::optional<TracedBlock> read_traced_block(Bytes record);

}  // namespace hm::soft
