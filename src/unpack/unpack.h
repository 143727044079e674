// SPDX-License-Identifier: MIT
// Unpacks files of gzip, xz and zstd. The input is untrusted: the output is bounded.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "base/bytes.h"
#include "base/result.h"

namespace hm {

enum class Packing : uint8_t { kGzip, kXz, kZstd };

// Returns the packing by the first bytes of a file (RFC 1952; "The .xz File Format", section 2.1.1; RFC
// 8878); nullopt if the file is not packed, or packed in another way.
[[nodiscard]] std::optional<Packing> packing_of(Bytes file);

// Data that unpacks to more than this is rejected as an attack. The largest observed ratio is 30, for copies
// of stacks in recordings.
inline constexpr size_t kMaxUnpackRatio = 256;
inline constexpr size_t kUnpackAllowanceBytes = size_t{32} << 20;
[[nodiscard]] constexpr size_t unpack_limit(size_t packed_bytes) {
  return kUnpackAllowanceBytes + packed_bytes * kMaxUnpackRatio;
}

// Unpacks all members or frames of a file. Fails with kDamaged if the data is invalid or cut off, or if it
// unpacks to more than `max_bytes`.
[[nodiscard]] Result<std::vector<std::byte>> unpack(Packing packing, Bytes packed, size_t max_bytes);
[[nodiscard]] inline Result<std::vector<std::byte>> unpack(Packing packing, Bytes packed) {
  return unpack(packing, packed, unpack_limit(packed.size()));
}

}  // namespace hm
