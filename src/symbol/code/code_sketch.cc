// SPDX-License-Identifier: MIT
#include "symbol/code/code_sketch.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "symbol/code/decoder.h"

namespace hm::symbol {
namespace {

constexpr uint64_t kFnvBasis = 0xcbf29ce484222325, kFnvPrime = 0x100000001b3;

uint64_t add_byte(uint64_t hash, uint8_t byte) { return (hash ^ byte) * kFnvPrime; }

// S. Vigna's SplitMix64: each bit of `value` flips half of the result's bits on average.
uint64_t mix(uint64_t value) {
  value = (value ^ (value >> 30)) * 0xbf58476d1ce4e5b9;
  value = (value ^ (value >> 27)) * 0x94d049bb133111eb;
  return value ^ (value >> 31);
}

// Hashes the mnemonic's name, not its number, so that sketches do not depend on the decoder's version.
uint64_t token_of(Decoder& decoder) {
  uint64_t hash = kFnvBasis;
  for (char c : std::string_view(ZydisMnemonicGetString(decoder.instruction().mnemonic)))
    hash = add_byte(hash, static_cast<uint8_t>(c));
  for (const ZydisDecodedOperand& operand : decoder.operands()) {
    if (operand.visibility == ZYDIS_OPERAND_VISIBILITY_HIDDEN) continue;
    hash = add_byte(hash, static_cast<uint8_t>(operand.type));
  }
  return hash;
}

class Sketcher {
 public:
  Sketcher() { least_.fill(UINT64_MAX); }

  void add(uint64_t token) {
    std::rotate(last_.begin(), last_.begin() + 1, last_.end());
    last_.back() = token;
    if (++sketch_.instructions < CodeSketch::kRun) return;
    uint64_t run = kFnvBasis;
    for (uint64_t each : last_) run = mix(run ^ each);
    for (size_t i = 0; i < least_.size(); ++i)
      least_[i] = std::min(least_[i], mix(run + (i + 1) * 0x9e3779b97f4a7c15));
  }

  [[nodiscard]] CodeSketch result() const {
    CodeSketch sketch = sketch_;
    if (sketch.instructions >= CodeSketch::kRun)
      std::ranges::transform(least_, sketch.minima.begin(),
                             [](uint64_t value) { return static_cast<uint16_t>(value); });
    return sketch;
  }

 private:
  CodeSketch sketch_;
  std::array<uint64_t, CodeSketch::kRun> last_{};
  std::array<uint64_t, CodeSketch::kHashes> least_{};
};

bool is_padding(ZydisMnemonic mnemonic) {
  return mnemonic == ZYDIS_MNEMONIC_NOP || mnemonic == ZYDIS_MNEMONIC_INT3;
}

}  // namespace

CodeSketch sketch_of(Bytes code) {
  Decoder decoder;
  Sketcher sketcher;
  while (!code.empty() && decoder.decode(code)) {
    if (!is_padding(decoder.instruction().mnemonic)) sketcher.add(token_of(decoder));
    code = code.subspan(decoder.instruction().length);
  }
  return sketcher.result();
}

double similarity(const CodeSketch& a, const CodeSketch& b) {
  if (a.instructions < CodeSketch::kRun || b.instructions < CodeSketch::kRun) return 0;
  size_t equal = 0;
  for (size_t i = 0; i < CodeSketch::kHashes; ++i) equal += a.minima[i] == b.minima[i] ? 1 : 0;
  return static_cast<double>(equal) / CodeSketch::kHashes;
}

std::string to_hex(const CodeSketch& sketch) {
  std::string text;
  for (uint16_t each : sketch.minima) text += fmt::format("{:04x}", each);
  return text;
}

std::optional<CodeSketch> sketch_from_hex(std::string_view text, uint32_t instructions) {
  constexpr size_t kDigits = 4;
  constexpr int kBase = 16;
  if (text.size() != CodeSketch::kHashes * kDigits) return std::nullopt;
  CodeSketch sketch{.instructions = instructions};
  for (size_t i = 0; i < CodeSketch::kHashes; ++i) {
    const char* begin = text.data() + i * kDigits;
    auto [end, error] = std::from_chars(begin, begin + kDigits, sketch.minima[i], kBase);
    if (error != std::errc() || end != begin + kDigits) return std::nullopt;
  }
  return sketch;
}

}  // namespace hm::symbol
