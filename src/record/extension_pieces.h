// SPDX-License-Identifier: MIT
// Takes a software PMU's RAW payload (record/extension.h) apart.
#pragma once

#include <cstdint>
#include <cstring>
#include <optional>

#include "base/bytes.h"

namespace hm::record {

// The piece that `raw` begins with, which is taken off it; nullopt if it is another or too short.
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
