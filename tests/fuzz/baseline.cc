// SPDX-License-Identifier: MIT
// The input is a baseline's text. A readable baseline can be compared and written, and reading the written
// text yields that text again.
#include "analysis/diff/baseline.h"

#include "analysis/diff/profile_diff.h"
#include "input.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace hm::diff;
  hm::Result<Recording> first = read_baseline(hm::fuzz::text(data, size), "input");
  if (!first) return 0;
  std::string once = write_baseline(*first, 0);
  hm::Result<Recording> second = read_baseline(once, "input");
  hm::fuzz::require(second.ok() && write_baseline(*second, 0) == once);
  hm::fuzz::require(find_diff({&*first, 1}, {&*second, 1}, {}).ok());
  return 0;
}
