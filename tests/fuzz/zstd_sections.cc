// SPDX-License-Identifier: MIT
// Unpacks the sections of zstd in any bytes. Every change lies in the file, and what is appended lies behind
// it.
#include "symbol/files/zstd_sections.h"

#include "input.h"
#include "unpack/unpack.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace hm;
  Bytes file = fuzz::input(data, size);
  Result<symbol::UnpackedSections> changes = symbol::unpack_zstd_sections(file);
  if (!changes.ok()) return 0;
  constexpr size_t kMaxPadding = 16;
  for (const auto& patch : changes->patches) fuzz::require(patch.offset + patch.bytes.size() <= file.size());
  if (!changes->empty()) fuzz::require(changes->end >= file.size());
  // Each section is padded.
  fuzz::require(changes->appended.size() <=
                unpack_limit(file.size()) + kMaxPadding * (changes->patches.size() + 1));
  return 0;
}
