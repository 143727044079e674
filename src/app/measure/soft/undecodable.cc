// SPDX-License-Identifier: MIT
#include "app/measure/soft/undecodable.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>
#include <span>
#include <string_view>

#include "app/measure/soft/code_place.h"
#include "symbol/code/disassembly.h"
#include "symbol/file_resolver.h"

namespace hm::measure {
namespace {

constexpr uint8_t kEvexPrefix = 0x62;  // Intel SDM volume 2, 2.7: AVX-512
// Segment overrides and the address size prefix: the only prefixes allowed before an EVEX prefix.
constexpr std::string_view kPrefixesBeforeEvex = "\x26\x2e\x36\x3e\x64\x65\x67";

bool is_avx512(std::span<const uint8_t> code) {
  auto first = std::ranges::find_if(code, [](uint8_t byte) {
    return kPrefixesBeforeEvex.find(static_cast<char>(byte)) == std::string::npos;
  });
  return first != code.end() && *first == kEvexPrefix;
}

// Returns an empty string if the bytes are no instruction.
std::string instruction_text(const soft::Undecodable& found) {
  auto decoded = symbol::disassemble(std::as_bytes(std::span(found.bytes)), found.ip, symbol::Syntax::kIntel);
  bool known = !decoded.empty() && decoded.front().text != "(bad)";
  return known ? decoded.front().text : std::string();
}

std::string kind_text(const soft::Undecodable& found, bool avx512) {
  std::string text = instruction_text(found);
  if (text.empty()) return fmt::format("bytes that are no instruction ({:02x})", fmt::join(found.bytes, " "));
  return fmt::format("{} '{}'", avx512 ? "the AVX-512 instruction" : "the instruction", text);
}

std::string advice_text(const soft::Engine& engine, bool avx512) {
  if (engine.runs_unknown_natively())
    return fmt::format("{} let the processor execute it: it ran, but is not counted", engine.name());
  if (!avx512) return fmt::format("{} cannot run it", engine.name());
  return fmt::format(
      "{} cannot run AVX-512: use --engine=direct, or build without -march=native or with -mno-avx512f",
      engine.name());
}

std::string sentence(const soft::Undecodable& found, const CodePlace& place, const std::string& where,
                     const soft::Engine& engine) {
  bool avx512 = is_avx512(found.bytes);
  std::string program = place.program.empty() ? "a program" : fmt::format("program '{}'", place.program);
  return fmt::format("{} (pid {}) met {} {}; {}", program, found.pid, kind_text(found, avx512), where,
                     advice_text(engine, avx512));
}

}  // namespace

std::vector<std::string> explain_undecodable(const std::vector<soft::Undecodable>& found,
                                             const PassingRecords& passing, const soft::Engine& engine) {
  symbol::FileResolver resolver;
  std::set<std::string> places;
  std::vector<std::string> sentences;
  for (const soft::Undecodable& each : found) {
    CodePlace place = passing.find(each.pid, each.ip);
    std::string where = place_text(place, resolver);
    if (where.empty()) where = fmt::format("at {:#x}", each.ip);
    if (places.insert(where).second) sentences.push_back(sentence(each, place, where, engine));
  }
  return sentences;
}

}  // namespace hm::measure
