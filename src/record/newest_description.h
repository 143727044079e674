// SPDX-License-Identifier: MIT
// The newest Features::hardmeter of a recording that is not finished. A recorder that is killed, or that
// finds the disk full, leaves in it what it had counted. It lies directly before the data, where perf does
// not look: two slots of equal size, and then a trailer with that size and a magic number.
//
// The slots are written alternately. A slot first gets its text and then its number, so the highest number
// always belongs to a complete text. The slots are allocated when the file begins, so a full disk does not
// matter.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "base/bytes.h"

namespace hm::record {

class NewestDescription {
 public:
  struct Piece {
    uint64_t offset = 0;  // from the begin of the slots
    std::vector<std::byte> bytes{};
  };

  // Reserves slots for texts up to 24 KiB longer than `first`.
  explicit NewestDescription(std::string_view first);

  // Returns the slots without a text, and the trailer.
  [[nodiscard]] std::vector<std::byte> empty() const;

  // Returns what must be written, in this order, so that a reader finds `text`; nullopt if it is too long.
  [[nodiscard]] std::optional<std::array<Piece, 2>> update(std::string_view text);

 private:
  uint64_t slot_bytes_;
  uint64_t number_ = 0;
};

// Returns the newest text; nullopt if `before_data`, the file up to its data, does not end with slots, or if
// none of them has a text.
[[nodiscard]] std::optional<std::string_view> decode_newest_description(Bytes before_data, bool swap);

}  // namespace hm::record
