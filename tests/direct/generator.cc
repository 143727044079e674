// SPDX-License-Identifier: MIT
#include "generator.h"

#include <algorithm>
#include <cstring>

#include "block_state.h"
#include "pmu/soft/direct/decode/features.h"

namespace hm::direct_test {
namespace {

using namespace soft::direct;

bool is_memory(const Instruction& each) { return each.modrm_offset != 0 && each.modrm < 0xc0; }
unsigned extension(const Instruction& each) { return each.modrm >> 3 & 7; }

// Excludes clocks, random numbers, processor identification, thread pointers, and saves of the whole state,
// which contain the address of the last x87 instruction.
bool is_reproducible_in_map1(const Instruction& each) {
  switch (each.opcode) {
    case 0x00:
    case 0x01:
    case 0x02:
    case 0x03:
    case 0x31:
    case 0x33:
    case 0xb2:  // lss, lfs, lgs
    case 0xb4:
    case 0xb5:
    case 0xa1:  // pop fs
    case 0xa9:
    case 0xa2:
      return false;
    case 0xae:
      return is_memory(each) &&
             (extension(each) == 2 || extension(each) == 3 || (extension(each) == 7 && !each.prefix_66));
    case 0xc7:
      return is_memory(each) && extension(each) == 1;
    default:
      return true;
  }
}

bool is_reproducible_in_map0(const Instruction& each) {
  bool memory = is_memory(each);
  switch (each.opcode) {
    case 0x8e:  // mov to a segment register
    case 0x9d:  // popf may set the trap flag
      return false;
    case 0xd9:
      return !memory || (extension(each) != 4 && extension(each) != 6);
    case 0xdd:
      return !memory || (extension(each) != 4 && extension(each) != 6);
    default:
      return true;
  }
}

bool is_usable(const Instruction& each) {
  bool goes_on =
      each.flow == Flow::kNone || each.flow == Flow::kConditionalJump || each.flow == Flow::kCountedJump;
  if (!goes_on || each.segment == Segment::kGs) return false;
  if (each.flow != Flow::kNone && each.prefix_66) return false;  // AMD's processors truncate the target
  if (each.encoding != Encoding::kLegacy)
    return !(each.encoding == Encoding::kVex && each.map == 2 && each.opcode >= 0x49 && each.opcode <= 0x5e &&
             (each.opcode == 0x49 || each.opcode == 0x4b || each.opcode >= 0x5c));  // AMX
  if (each.map == 1) return is_reproducible_in_map1(each);
  if (each.map == 2) return each.opcode != 0xf8;  // enqcmd
  return each.map != 0 || is_reproducible_in_map0(each);
}

// If the manual leaves flags undefined, processors may keep them; an engine need not.
bool leaves_flags_undefined(const Instruction& each) {
  uint8_t opcode = each.opcode;
  if (each.encoding == Encoding::kVex) return each.map == 2 && opcode >= 0xf2;  // BMI
  if (each.map == 0) {
    bool multiplies = opcode == 0x69 || opcode == 0x6b || opcode == 0xf6 || opcode == 0xf7;
    return multiplies || opcode == 0xc0 || opcode == 0xc1 || (opcode >= 0xd0 && opcode <= 0xd3);
  }
  if (each.map != 1) return false;
  bool bits = opcode == 0xa3 || opcode == 0xab || (opcode >= 0xb3 && opcode <= 0xbd);
  return bits || (opcode >= 0xa4 && opcode <= 0xaf);
}

void define_flags(std::vector<uint8_t>& code) { code.insert(code.end(), {0x38, 0xc0}); }  // cmp %al, %al

template <typename T>
void put(std::vector<uint8_t>& code, size_t at, T value) {
  std::memcpy(code.data() + at, &value, sizeof(value));
}

}  // namespace

uint64_t Generator::next() {
  random_ ^= random_ << 13;
  random_ ^= random_ >> 7;
  random_ ^= random_ << 17;
  return random_ * 0x2545f4914f6cdd1du;
}

void Generator::prefixes(std::vector<uint8_t>& code) {
  if (once_in(6)) code.push_back(0x66);
  if (once_in(8)) code.push_back(once_in(2) ? 0xf2 : 0xf3);
  if (once_in(16)) code.push_back(0xf0);
  if (once_in(24)) code.push_back(0x64);
  if (once_in(24)) code.push_back(0x67);
}

void Generator::legacy(std::vector<uint8_t>& code) {
  prefixes(code);
  if (!once_in(3)) code.push_back(static_cast<uint8_t>(0x40 | (byte() & 15)));
  switch (next() % 8) {
    case 0:
    case 1:
    case 2:
      code.push_back(0x0f);
      break;
    case 3:
      code.insert(code.end(), {0x0f, static_cast<uint8_t>(once_in(2) ? 0x38 : 0x3a)});
      break;
    default:
      break;
  }
}

void Generator::vex(std::vector<uint8_t>& code) {
  if (once_in(16)) code.push_back(0x67);
  if (once_in(32)) code.push_back(0x64);
  if (once_in(3)) {
    code.insert(code.end(), {0xc5, byte()});
  } else {
    code.insert(code.end(), {0xc4, static_cast<uint8_t>((byte() & 0xe0) | (1 + next() % 3)), byte()});
  }
}

void Generator::evex(std::vector<uint8_t>& code) {
  if (once_in(16)) code.push_back(0x67);
  if (once_in(32)) code.push_back(0x64);
  code.insert(code.end(), {0x62, static_cast<uint8_t>((byte() & 0xf0) | (1 + next() % 3)),
                           static_cast<uint8_t>(byte() | 4), byte()});
}

// Appends opcode, ModRM, SIB, displacement and immediate, as the instruction needs. Displacements are small,
// in one byte or four.
void Generator::operands(std::vector<uint8_t>& code) {
  code.push_back(byte());
  uint8_t modrm = byte();
  if (once_in(12)) modrm = static_cast<uint8_t>((modrm & 0x38) | 5);  // relative to rip
  code.push_back(modrm);
  bool sib = modrm < 0xc0 && (modrm & 7) == 4;
  if (sib) code.push_back(byte());
  if (modrm >> 6 == 2) code.insert(code.end(), {byte(), static_cast<uint8_t>(byte() & 3), 0, 0});
  for (unsigned i = 0; i < 10; ++i) code.push_back(byte());
}

std::vector<uint8_t> Generator::candidate() {
  std::vector<uint8_t> code;
  switch (next() % 8) {
    case 0:
    case 1:
      vex(code);
      break;
    case 2:
      evex(code);
      break;
    default:
      legacy(code);
      break;
  }
  operands(code);
  return code;
}

// Appends one more instruction, if the candidate is valid. Jumps lead to the next instruction, absolute
// addresses into the arena.
bool Generator::append(Block& block, uint64_t address) {
  std::vector<uint8_t> code = candidate();
  Instruction each;
  if (!decode(code.data(), code.size(), address, each) || !is_usable(each)) return false;
  code.resize(each.length);
  if (each.flow != Flow::kNone)
    std::fill_n(code.begin() + each.immediate_offset, each.immediate_bytes, uint8_t{0});
  bool rip_relative = each.modrm_offset != 0 && (each.modrm & 0xc7) == 5;
  uint64_t place = kArena + next() % (kArenaBytes - 64);
  if (rip_relative && !each.prefix_67 && once_in(4)) place = kFarArena + next() % (kFarArenaBytes - 64);
  if (rip_relative) put(code, each.displacement_offset, static_cast<uint32_t>(place - address - each.length));
  // An engine may have memory at distant addresses.
  if (!rip_relative && each.displacement_bytes == 4)
    put(code, each.displacement_offset, static_cast<uint32_t>(next() % 2048));
  if (each.access_count != 0 && each.accesses[0].kind == AccessKind::kAbsolute &&
      each.displacement_bytes == 8)
    put(code, each.displacement_offset, place);
  bool stores_all_flags =
      each.encoding == Encoding::kLegacy && each.map == 0 && (each.opcode == 0x9c || each.opcode == 0x9f);
  if (stores_all_flags) define_flags(block.code);
  uint32_t feature = feature_of(each);
  if (feature != 0) block.extensions.push_back({static_cast<uint32_t>(block.code.size()), feature});
  block.code.insert(block.code.end(), code.begin(), code.end());
  if (leaves_flags_undefined(each)) define_flags(block.code);
  return true;
}

Block Generator::block(uint64_t address) {
  constexpr unsigned kMost = 8;
  Block block{next(), {kPopFlags}, {}};
  for (unsigned count = 1 + static_cast<unsigned>(next() % kMost); count != 0;) {
    if (append(block, address + block.code.size())) --count;
  }
  return block;
}

}  // namespace hm::direct_test
