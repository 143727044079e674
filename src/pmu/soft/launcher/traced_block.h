// SPDX-License-Identifier: MIT
// A block as the copying engine told of it.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/bytes.h"
#include "pmu/soft/ring/block_record.h"

namespace hm::soft {

struct TracedStep {
  BlockStep what;
  Bytes source;  // the instruction, as it was copied
  Bytes hot;     // as much of them as the record holds
  Bytes cold;
};

// Some of a block's steps, in the record's memory.
struct TracedBlock {
  BlockRecord what;
  std::vector<TracedStep> steps;
};

// nullopt for a record that breaks its own format: a process may have written over its ring.
[[nodiscard]] std::optional<TracedBlock> read_traced_block(Bytes record);

}  // namespace hm::soft
