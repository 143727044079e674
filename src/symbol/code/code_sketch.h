// SPDX-License-Identifier: MIT
// Estimates the similarity of two functions' code from a few numbers per function that fit into a file.
//
// A function's code is represented by the set of its runs of kRun instructions. An instruction is represented
// by its mnemonic and the kinds of its operands, because registers, constants and addresses change from build
// to build. The sketch keeps the minimum of each of kHashes hash functions over the set (MinHash). The
// fraction of equal minima in two sketches estimates the Jaccard index of the sets, with a standard error of
// at most 0.09 (A. Z. Broder, "On the resemblance and containment of documents", Compression and Complexity
// of Sequences 1997).
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

  uint32_t instructions = 0;  // without padding; 0: no code known
  std::array<uint16_t, kHashes> minima{};

  bool operator==(const CodeSketch&) const = default;
};

// Returns the sketch of x86-64 code, up to the first invalid instruction.
[[nodiscard]] CodeSketch sketch_of(Bytes code);

// Returns the estimated Jaccard index, 0 to 1; 0 if either has fewer than CodeSketch::kRun instructions.
[[nodiscard]] double similarity(const CodeSketch& a, const CodeSketch& b);

// Convert the minima to and from hex for storage in a file; nullopt if `text` is invalid.
[[nodiscard]] std::string to_hex(const CodeSketch& sketch);
[[nodiscard]] std::optional<CodeSketch> sketch_from_hex(std::string_view text, uint32_t instructions);

}  // namespace hm::symbol
