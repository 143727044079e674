// SPDX-License-Identifier: MIT
// Splits a software PMU's RAW payload (record/extension.h) into its pieces.
#pragma once

#include <cstdint>
#include <cstring>
#include <optional>

#include "base/bytes.h"

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

}  // namespace hm::record
