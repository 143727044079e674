// SPDX-License-Identifier: MIT
// Debug sections that are compressed by zstd (gcc -gz=zstd; "ELFCOMPRESS_ZSTD" in the ELF specification's
// chapter "Section Compression"). Debian 12's elfutils reads only those of zlib.
#pragma once

#include <cstdint>
#include <vector>

#include "base/bytes.h"
#include "base/result.h"
#include "base/unique_fd.h"

namespace hm::symbol {

// Changes to an ELF file that make it the same file with uncompressed sections: bytes to overwrite, and bytes
// to append.
struct UnpackedSections {
  struct Patch {
    uint64_t offset = 0;
    std::vector<std::byte> bytes;
  };
  std::vector<Patch> patches;
  uint64_t end = 0;  // offset of the appended bytes: the size of the file, rounded up
  std::vector<std::byte> appended;

  [[nodiscard]] bool empty() const { return patches.empty(); }
};

// Returns no changes if the file has no section of zstd. Fails with kDamaged if such a section is damaged, or
// if all of them together unpack to more than unpack_limit() of the file's size allows (unpack/unpack.h).
[[nodiscard]] Result<UnpackedSections> unpack_zstd_sections(Bytes file);

// Returns a copy of the ELF file in memory without sections of zstd; an invalid descriptor if the file has
// none. Fails like unpack_zstd_sections(), and with kIo if the copy cannot be made.
[[nodiscard]] Result<UniqueFd> copy_without_zstd(int fd);

}  // namespace hm::symbol
