// SPDX-License-Identifier: MIT
// Random encodings of single instructions, natively and under the copying engine: what they leave behind, and
// how many loads and stores the models see.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "access_counts.h"
#include "block_comparison.h"
#include "encodings.h"

namespace hm::direct_test {

class EncodingBatch {
 public:
  EncodingBatch(uint64_t seed, uint64_t count);

  // Returns a description of each encoding that leaves something else behind under the engine, up to a limit.
  std::vector<std::string> different_states(const Words& options);

  // Returns a description of the first encoding whose loads or stores are not those that count_accesses()
  // computes. Empty if there is none. Call different_states() first: encodings that fault are not counted.
  std::string different_counts(const Words& options);

  // Number of encodings whose accesses different_counts() compares.
  [[nodiscard]] size_t counted() const;

 private:
  void find_counted(const std::vector<Result>& natively);
  [[nodiscard]] AccessCounts expected(size_t begin, size_t end) const;
  [[nodiscard]] std::string description(size_t encoding) const;

  uint64_t seed_;
  ZydisDecoder decoder_;
  BlockFile file_;
  std::vector<Encoding> encodings_;
  // Accesses of both runs of an encoding; nothing for those that are not counted.
  std::vector<std::optional<AccessCounts>> counted_;
};

}  // namespace hm::direct_test
