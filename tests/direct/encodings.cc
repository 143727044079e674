// SPDX-License-Identifier: MIT
#include "encodings.h"

#include <algorithm>
#include <cstring>

#include "left_out.h"
#include "pmu/soft/direct/decode/oracle/oracle.h"

namespace hm::direct_test {
namespace {

constexpr uint8_t kTrap = 0xcc;      // int3
constexpr unsigned kTraps = 64;      // before and behind the instruction
constexpr size_t kLongest = 15;      // bytes that an instruction can have
constexpr unsigned kEntry = kTraps;  // where the block's popf is

template <typename T>
T pick(uint64_t random, std::initializer_list<T> list) {
  return list.begin()[random % list.size()];
}

// The processor may know instructions that Zydis does not know, of any length.
void end_by_traps(std::vector<uint8_t>& code) {
  constexpr unsigned kImmediate = 6;  // keeps two bytes of it
  code.resize(std::min(code.size() - kImmediate, kLongest));
  code.resize(kLongest, kTrap);
}

// Writes the low `bytes` of `value`.
void put(std::vector<uint8_t>& code, size_t at, uint64_t value, unsigned bytes) {
  std::memcpy(code.data() + at, &value, bytes);
}

}  // namespace

EncodingGenerator::EncodingGenerator(uint64_t seed)
    : decoder_(soft::direct::oracle_decoder()), random_(seed * 2654435761u + 88172645463325252u) {}

uint64_t EncodingGenerator::random() {
  random_ ^= random_ << 13;
  random_ ^= random_ >> 7;
  random_ ^= random_ << 17;
  return random_ * 0x2545f4914f6cdd1du;
}

// Most instructions get at most one prefix; some get several, in any order and repeated.
void EncodingGenerator::prefixes(std::vector<uint8_t>& code) {
  if (once_in(2)) return;
  for (uint64_t count = once_in(4) ? 1 + below(4) : 1; count != 0; --count)
    code.push_back(pick<uint8_t>(below(64), {0x66, 0x66, 0x66, 0x67, 0x67, 0xf2, 0xf2, 0xf3, 0xf3, 0xf3, 0xf0,
                                             0x64, 0x2e, 0x3e, 0x26, 0x36}));
}

void EncodingGenerator::legacy(std::vector<uint8_t>& code) {
  prefixes(code);
  if (!once_in(3)) code.push_back(static_cast<uint8_t>(0x40 | below(16)));
  if (once_in(64)) prefixes(code);  // REX before other prefixes is ignored
  switch (below(8)) {
    case 0:
    case 1:
    case 2:
      code.push_back(0x0f);
      break;
    case 3:
      code.insert(code.end(), {0x0f, pick<uint8_t>(below(2), {0x38, 0x3a})});
      break;
    default:
      break;
  }
}

void EncodingGenerator::vex(std::vector<uint8_t>& code) {
  if (once_in(12)) code.push_back(pick<uint8_t>(below(8), {0x67, 0x67, 0x64, 0x2e, 0x66, 0xf3, 0xf0, 0x48}));
  uint8_t last = byte();
  if (once_in(3)) last |= 0x78;  // no second source
  if (once_in(3)) {
    code.insert(code.end(), {0xc5, last});
    return;
  }
  uint8_t map = once_in(64) ? byte() & 31 : static_cast<uint8_t>(1 + below(3));
  code.insert(code.end(), {0xc4, static_cast<uint8_t>((byte() & 0xe0) | map), last});
}

void EncodingGenerator::evex(std::vector<uint8_t>& code) {
  if (once_in(12)) code.push_back(pick<uint8_t>(below(4), {0x67, 0x64, 0x2e, 0x66}));
  uint8_t map = once_in(64) ? byte() & 15 : pick<uint8_t>(below(5), {1, 2, 3, 5, 6});
  auto second = static_cast<uint8_t>(byte() | 4);
  if (once_in(2)) second |= 0x78;
  uint8_t third = byte();
  if (once_in(3)) third &= 0xf8;                             // no mask
  if (!once_in(4)) third = (third & 0x9f) | (third & 0x40);  // 128 or 512 bits
  if (!once_in(4)) third |= 8;                               // no second source above 15
  code.insert(code.end(), {0x62, static_cast<uint8_t>((byte() & 0xf0) | map), second, third});
}

void EncodingGenerator::address(std::vector<uint8_t>& code, uint8_t modrm) {
  bool sib = (modrm & 7) == 4;
  if (sib) code.push_back(byte());
  bool without_base = modrm < 0x40 && (modrm & 7) == 5;
  bool sib_without_base = modrm < 0x40 && sib && (code.back() & 7) == 5;
  if (modrm >> 6 == 1) code.push_back(byte());
  if (modrm >> 6 != 2 && !without_base && !sib_without_base) return;
  uint64_t displacement = below(2048);
  if (sib_without_base && once_in(2)) displacement = kArena + kArenaBytes / 4 + displacement;
  if (once_in(4)) displacement = -displacement;
  code.resize(code.size() + 4);
  put(code, code.size() - 4, displacement, 4);
}

// Appends opcode, ModRM, SIB, displacement and an immediate.
void EncodingGenerator::operands(std::vector<uint8_t>& code) {
  code.push_back(byte());
  uint8_t modrm = byte();
  if (modrm >= 0xc0 && once_in(3)) modrm &= 0x3f;
  if (once_in(16)) modrm = static_cast<uint8_t>((modrm & 0x38) | 5);  // relative to rip
  code.push_back(modrm);
  if (modrm < 0xc0) address(code, modrm);
  for (unsigned i = 0; i < 8; ++i) code.push_back(byte());
}

std::vector<uint8_t> EncodingGenerator::candidate() {
  std::vector<uint8_t> code;
  switch (below(16)) {
    case 0:
    case 1:
    case 2:
    case 3:
      vex(code);
      break;
    case 4:
    case 5:
    case 6:
      evex(code);
      break;
    default:
      legacy(code);
      break;
  }
  operands(code);
  return code;
}

// Returns the distance to the jump behind the instruction, or to one of the traps.
uint64_t EncodingGenerator::branch_distance(unsigned length, unsigned bytes) {
  constexpr unsigned kReach = 48;
  if (once_in(2)) return 0;
  if (bytes == 4 && once_in(8)) return below(1u << 30) | 1u << 29;  // no code is there
  return once_in(2) ? kJumpBytes + below(kReach) : -uint64_t{length} - 2 - below(kReach);
}

// Gives the instruction an operand or a target that exists.
void EncodingGenerator::place(std::vector<uint8_t>& code, const ZydisDecodedInstruction& instruction,
                              uint64_t address) {
  const auto& raw = instruction.raw;
  bool rip_relative = raw.disp.size == 32 && raw.modrm.mod == 0 && raw.modrm.rm == 5 && raw.sib.offset == 0;
  uint64_t at = kArena + below(kArenaBytes - 64);
  if (rip_relative && once_in(4) && (instruction.attributes & ZYDIS_ATTRIB_HAS_ADDRESSSIZE) == 0)
    at = kFarArena + below(kFarArenaBytes - 64);
  if (rip_relative) put(code, raw.disp.offset, at - address - instruction.length, 4);
  bool absolute = raw.modrm.offset == 0 && raw.disp.size == 64;
  if (absolute) put(code, raw.disp.offset, at, 8);
  if (raw.imm[0].is_relative) {
    unsigned bytes = raw.imm[0].size / 8u;
    put(code, raw.imm[0].offset, branch_distance(instruction.length, bytes), bytes);
  }
}

// A handler sees the flags that the faulting instruction would have read or kept. The engine need not
// preserve those that it overwrites.
void EncodingGenerator::complete(Encoding& encoding, const ZydisDecodedInstruction& instruction,
                                 uint64_t address) {
  encoding.bytes.resize(instruction.length);
  place(encoding.bytes, instruction, address);
  bool relative = instruction.raw.imm[0].is_relative;
  encoding.header.ignores_pushed_word = instruction.meta.category == ZYDIS_CATEGORY_CALL && !relative;
  const ZydisAccessedFlags& flags = *instruction.cpu_flags;
  uint32_t written = flags.modified | flags.set_0 | flags.set_1 | flags.undefined;
  encoding.header.ignored_flags = flags.undefined & kStatusFlagsOfState;
  encoding.header.ignored_flags_at_fault = written & ~flags.tested & kStatusFlagsOfState;
  // AMD's processors obey the prefix of branches: other instructions may follow.
  if (relative && (instruction.attributes & ZYDIS_ATTRIB_HAS_OPERANDSIZE) != 0)
    encoding.header.ignored_flags_at_fault = kStatusFlagsOfState;
}

Encoding EncodingGenerator::next(uint64_t address) {
  Encoding encoding{};
  ZydisDecodedInstruction instruction;
  uint64_t start = address + kEntry + 1;
  for (;;) {
    std::vector<uint8_t>& bytes = encoding.bytes = candidate();
    bool known = ZYAN_SUCCESS(
        ZydisDecoderDecodeInstruction(&decoder_, nullptr, bytes.data(), bytes.size(), &instruction));
    if ((known ? reason_to_leave_out(instruction) : reason_to_leave_out(bytes)) != nullptr) continue;
    if (known) {
      complete(encoding, instruction, start);
      break;
    }
    end_by_traps(bytes);
    encoding.header.ignored_flags_at_fault = kStatusFlagsOfState;  // it may be two instructions
    if (!ZYAN_SUCCESS(
            ZydisDecoderDecodeInstruction(&decoder_, nullptr, bytes.data(), bytes.size(), &instruction)))
      break;
  }
  encoding.header.seed = random();
  encoding.header.entry = kEntry;
  encoding.header.absent_at = kNoneAbsent;
  encoding.code.assign(kTraps, kTrap);
  encoding.code.push_back(kPopFlags);
  encoding.code.insert(encoding.code.end(), encoding.bytes.begin(), encoding.bytes.end());
  return encoding;
}

}  // namespace hm::direct_test
