// SPDX-License-Identifier: MIT
// Unpacks any bytes as gzip, xz or zstd; the output stays within the limit.
#include "unpack/unpack.h"

#include "input.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace hm;
  constexpr size_t kMaxBytes = size_t{1} << 20;
  Bytes file = fuzz::input(data, size);
  std::optional<Packing> packing = packing_of(file);
  if (!packing) return 0;
  Result<std::vector<std::byte>> unpacked = unpack(*packing, file, kMaxBytes);
  if (unpacked.ok()) fuzz::require(unpacked->size() <= kMaxBytes);
  return 0;
}
