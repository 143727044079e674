// SPDX-License-Identifier: MIT
// Opcodes (Intel SDM, volume 2, "JMP", "Jcc", "LOOP"): eb, 70 to 7f and e0 to e3 with a displacement of one
// byte, e9 and 0f 80 to 0f 8f with four.
#include "symbol/code/far_jumps.h"

#include <algorithm>
#include <cstring>
#include <optional>

namespace hm::symbol {
namespace {

constexpr uint64_t kShortReach = 130;  // in bytes, including the instruction itself

uint8_t byte_at(Bytes code, size_t at) { return std::to_integer<uint8_t>(code[at]); }

FarJump make_jump(uint64_t from, uint8_t length, int64_t displacement, uint8_t condition) {
  return {from + length + static_cast<uint64_t>(displacement), {Way::Kind::kJump, from, length, condition}};
}

std::optional<FarJump> long_jump_at(Bytes code, size_t at, uint64_t address) {
  uint8_t opcode = byte_at(code, at);
  bool conditional = opcode == 0x0f && at + 1 < code.size() && (byte_at(code, at + 1) & 0xf0) == 0x80;
  if (opcode != 0xe9 && !conditional) return std::nullopt;
  uint8_t length = conditional ? 6 : 5;
  if (code.size() - at < length) return std::nullopt;
  int32_t displacement;
  std::memcpy(&displacement, code.data() + at + length - sizeof displacement, sizeof displacement);
  uint8_t condition = conditional ? byte_at(code, at + 1) & 0xf : kNoCondition;
  return make_jump(address + at, length, displacement, condition);
}

std::optional<FarJump> short_jump_at(Bytes code, size_t at, uint64_t address) {
  uint8_t opcode = byte_at(code, at);
  bool conditional = (opcode & 0xf0) == 0x70;
  bool other = opcode == 0xeb || (opcode & 0xfc) == 0xe0;
  if ((!conditional && !other) || code.size() - at < 2) return std::nullopt;
  auto displacement = static_cast<int8_t>(byte_at(code, at + 1));
  return make_jump(address + at, 2, displacement, conditional ? opcode & 0xf : kNoCondition);
}

void add_short_jumps(const ElfModule& module, uint64_t from, const Extent& function,
                     std::vector<FarJump>& jumps) {
  Bytes code = module.bytes_at(from, kShortReach);
  for (size_t at = 0; at < code.size(); ++at) {
    std::optional<FarJump> jump = short_jump_at(code, at, from);
    if (jump && function.holds(jump->to) && !function.holds(jump->way.from)) jumps.push_back(*jump);
  }
}

}  // namespace

FarJumps::FarJumps(const ElfModule& module) {
  for (const ElfModule::Code& segment : module.code_segments()) {
    for (size_t at = 0; at < segment.bytes.size(); ++at) {
      std::optional<FarJump> jump = long_jump_at(segment.bytes, at, segment.address);
      if (jump && jump->to - segment.address < segment.bytes.size()) far_.push_back(*jump);
    }
  }
  std::ranges::sort(far_, {}, &FarJump::to);
}

std::vector<FarJump> FarJumps::into(const ElfModule& module, const Extent& function) const {
  std::vector<FarJump> jumps;
  auto first = std::ranges::lower_bound(far_, function.start, {}, &FarJump::to);
  for (; first != far_.end() && function.holds(first->to); ++first) {
    if (!function.holds(first->way.from)) jumps.push_back(*first);
  }
  add_short_jumps(module, function.start - std::min(function.start, kShortReach), function, jumps);
  add_short_jumps(module, function.start + function.size, function, jumps);
  return jumps;
}

}  // namespace hm::symbol
