// SPDX-License-Identifier: MIT
// How alike the code of two functions is, from a few numbers of each that a file can keep.
//
// A function's code is taken as the set of its runs of kRun instructions, each instruction by its mnemonic
// and the kinds of its operands: registers, constants and addresses change from build to build. The sketch
// keeps the least value of each of kHashes hash functions over the set; the part of them that two sketches
// share estimates the sets' Jaccard index, with a standard error of at most 0.09 (A. Z. Broder, "On the
// resemblance and containment of documents", Compression and Complexity of Sequences 1997).
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/bytes.h"

namespace hm::symbol {

struct CodeSketch {
  static constexpr size_t kHashes = 32;
  static constexpr size_t kRun = 3;

  uint32_t instructions = 0;  // without padding; 0: no code is known
  std::array<uint16_t, kHashes> minima{};

  bool operator==(const CodeSketch&) const = default;
};

// x86-64 code, up to the first byte that begins no instruction.
[[nodiscard]] CodeSketch sketch_of(Bytes code);

// Returns the estimated Jaccard index, 0 to 1; 0 if either has fewer than CodeSketch::kRun instructions.
[[nodiscard]] double similarity(const CodeSketch& a, const CodeSketch& b);

// The minima in hex, as a file keeps them; nullopt for what is none.
[[nodiscard]] std::string to_hex(const CodeSketch& sketch);
[[nodiscard]] std::optional<CodeSketch> sketch_from_hex(std::string_view text, uint32_t instructions);

}  // namespace hm::symbol
