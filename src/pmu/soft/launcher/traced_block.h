// SPDX-License-Identifier: MIT
// A block reported by the copying engine.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/bytes.h"
#include "pmu/soft/ring/block_record.h"

namespace hm::soft {

struct TracedStep {
  BlockStep what;
  Bytes source;  // the original instruction
  Bytes hot;     // the copy's bytes, as far as the record holds them
  Bytes cold;
};

// A part of a block's steps; their bytes are views of the record.
struct TracedBlock {
  BlockRecord what;
  std::vector<TracedStep> steps;
};

// Returns nullopt for a malformed record: a process may have overwritten its ring.
[[nodiscard]] std::optional<TracedBlock> read_traced_block(Bytes record);

}  // namespace hm::soft
