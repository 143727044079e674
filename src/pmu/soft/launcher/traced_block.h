// SPDX-License-Identifier: MIT
// A block as the copying engine has reported it.
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

// Some of a block's steps; their bytes are views of the record.
struct TracedBlock {
  BlockRecord what;
  std::vector<TracedStep> steps;
};

// nullopt for a malformed record: a process may have overwritten its ring.
[[nodiscard]] std::optional<TracedBlock> read_traced_block(Bytes record);

}  // namespace hm::soft
