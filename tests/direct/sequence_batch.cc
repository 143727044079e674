// SPDX-License-Identifier: MIT
#include "sequence_batch.h"

#include <algorithm>

#include "sequences.h"

namespace hm::direct_test {

std::vector<std::string> different_sequences(uint64_t seed, uint64_t count, const Words& options) {
  constexpr size_t kMaxSequences = 5;
  SequenceGenerator generator(seed);
  BlockFile file({"writable", "signals"});
  for (uint64_t i = 0; i < count; ++i) {
    Sequence each = generator.next(file.next_address());
    file.add(each.header, each.code);
  }
  Comparison comparison = compare(file, options);
  std::string begin = "seed " + std::to_string(seed) + ": ";
  if (!comparison.failure.empty()) return {begin + comparison.failure + "\n"};
  std::vector<std::string> texts;
  size_t shown = std::min(comparison.different.size(), kMaxSequences);
  for (size_t i = 0; i < shown; ++i) texts.push_back(begin + explain(file, comparison.different[i], options));
  return texts;
}

}  // namespace hm::direct_test
