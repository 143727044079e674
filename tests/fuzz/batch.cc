// SPDX-License-Identifier: MIT
// The input is a batch's text, as in an agent's folder, and a store's address. A readable batch can be
// written, and reading the written text yields that text again.
#include "store/batch.h"

#include "input.h"
#include "store/store_address.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace hm::store;
  std::string_view text = hm::fuzz::text(data, size);
  (void)parse_address(text);
  hm::Result<Batch> first = read_batch(text, "input");
  if (!first) return 0;
  std::string once = write_batch(*first);
  hm::Result<Batch> second = read_batch(once, "input");
  hm::fuzz::require(second.ok() && write_batch(*second) == once);
  return 0;
}
