// SPDX-License-Identifier: MIT
// Splits a software PMU's RAW payload (record/extension.h) into its pieces.
#pragma once

#include <cstdint>
#include <cstring>
#include <optional>
#include <string>

#include "base/bytes.h"
#include "record/extension.h"

namespace hm::record {

// Removes the piece with `magic` from the start of `raw` and returns it; nullopt if `raw` starts with another
// piece or is too short.
template <typename Piece>
std::optional<Piece> take_piece(Bytes& raw, uint32_t magic) {
  Piece piece;
  if (raw.size() < sizeof piece) return std::nullopt;
  std::memcpy(&piece, raw.data(), sizeof piece);
  if (piece.magic != magic) return std::nullopt;
  raw = raw.subspan(sizeof piece);
  return piece;
}

// Returns the name of the kernel's object in a sample's RAW payload; empty if it has none.
[[nodiscard]] inline std::string kernel_object_in(Bytes raw) {
  if (!take_piece<SampleExtension>(raw, kExtensionMagic)) return {};
  auto object = take_piece<KernelObjectExtension>(raw, kKernelObjectMagic);
  return object ? std::string(object->name, ::strnlen(object->name, kKernelObjectName)) : std::string();
}

}  // namespace hm::record
