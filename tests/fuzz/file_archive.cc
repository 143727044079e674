// SPDX-License-Identifier: MIT
// Reads any bytes as the block of files in an archived recording.
#include "symbol/files/file_archive.h"

#include "input.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace hm;
  Bytes block = fuzz::input(data, size);
  std::shared_ptr<const symbol::FileArchive> archive = symbol::FileArchive::read(block);
  constexpr size_t kMinFileBytes = 28;  // the numbers before its names
  fuzz::require(archive->size() <= size / kMinFileBytes);
  fuzz::require(archive->count_readable() <= archive->size());
  return 0;
}
