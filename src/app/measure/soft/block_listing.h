// SPDX-License-Identifier: MIT
// Lists the blocks that the copying engine has copied, for developers of the engine.
#pragma once

#include <string>

#include "app/measure/soft/passing_records.h"
#include "pmu/soft/launcher/traced_block.h"
#include "symbol/file_resolver.h"

namespace hm::measure {

class BlockListing {
 public:
  // `places` must outlive the listing. If `function` is not empty, only blocks with code of that function are
  // listed.
  explicit BlockListing(const PassingRecords& places, std::string function = {})
      : places_(places), function_(std::move(function)) {}

  // Returns a heading and then each instruction beside its copy, in AT&T syntax. Returns an empty string for
  // unwanted blocks.
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
