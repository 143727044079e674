// SPDX-License-Identifier: MIT
// Prints the blocks that the copying engine has copied, for developers of the engine.
#pragma once

#include <string>

#include "app/measure/soft/passing_records.h"
#include "pmu/soft/launcher/traced_block.h"
#include "symbol/file_resolver.h"

namespace hm::measure {

class BlockListing {
 public:
  // `places` outlives this. A name in `function`: only blocks with code of that function.
  explicit BlockListing(const PassingRecords& places, std::string function = {})
      : places_(places), function_(std::move(function)) {}

  // A heading, then step by step the instruction beside its copy, with AT&T syntax; empty where the block is
  // not wanted.
  [[nodiscard]] std::string text(const soft::TracedBlock& block);

 private:
  [[nodiscard]] std::string function_at(uint32_t pid, uint64_t address);
  [[nodiscard]] bool wanted(const soft::TracedBlock& block);
  [[nodiscard]] std::string heading(const soft::TracedBlock& block);

  const PassingRecords& places_;
  std::string function_;
  symbol::FileResolver resolver_;
};

}  // namespace hm::measure
