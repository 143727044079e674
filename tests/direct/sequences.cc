// SPDX-License-Identifier: MIT
// Encodings: Intel SDM volume 2. The flags of all instructions used are defined, so that lahf and pushf may
// read them anywhere.
#include "sequences.h"

#include <algorithm>
#include <iterator>

namespace hm::direct_test {
namespace {

constexpr unsigned kRsp = 4, kR15 = 15;  // r15 counts the rounds of loops
constexpr unsigned kRexW = 0x48;
// Parts of the arena: data, and pointers to functions. The stack is between them.
constexpr uint64_t kData = kArena, kDataBytes = 4096 - 16;
constexpr uint64_t kPointers = kArena + 3 * 4096;
constexpr uint64_t kUnmapped = kBeyondFile + 2 * 4096;

}  // namespace

uint64_t SequenceGenerator::random() {
  random_ ^= random_ << 13;
  random_ ^= random_ >> 7;
  random_ ^= random_ << 17;
  return random_ * 0x2545f4914f6cdd1du;
}

unsigned SequenceGenerator::any_register() {
  unsigned reg = static_cast<unsigned>(below(kR15));
  return reg == kRsp ? 0 : reg;
}

void SequenceGenerator::bytes(std::initializer_list<unsigned> list) {
  for (unsigned each : list) code_.push_back(static_cast<uint8_t>(each));
}

void SequenceGenerator::word(uint64_t value, unsigned count) {
  for (unsigned i = 0; i < count; ++i) code_.push_back(static_cast<uint8_t>(value >> 8 * i));
}

void SequenceGenerator::with_registers(unsigned opcode, unsigned reg, unsigned rm) {
  bytes({kRexW | reg >> 3 << 2 | rm >> 3, opcode, 0xc0 | (reg & 7) << 3 | (rm & 7)});
}

// The operand is at an address of 32 bits.
void SequenceGenerator::with_memory(unsigned opcode, unsigned reg, uint64_t at) {
  bytes({kRexW | reg >> 3 << 2, opcode, 0x04 | (reg & 7) << 3, 0x25});
  word(at, 4);
}

// Arithmetic in registers, from memory, and in memory: add, or, adc, sbb, and, sub, xor, cmp.
void SequenceGenerator::plain() {
  unsigned operation = static_cast<unsigned>(below(8)) << 3, reg = any_register();
  uint64_t at = kData + below(kDataBytes);
  switch (below(8)) {
    case 0:
      return with_memory(operation | 3, reg, at);
    case 1:
      return with_memory(operation | 1, reg, at);
    case 2:
      return with_memory(0x8b, reg, at);
    case 3:
      return with_memory(0x89, reg, at);
    case 4:
      bytes({kRexW | reg >> 3, 0xff, 0xc0 | static_cast<unsigned>(below(2)) << 3 | (reg & 7)});  // inc, dec
      return;
    case 5:  // rol, ror, rcl, rcr by 1
      bytes({kRexW | reg >> 3, 0xd1, 0xc0 | static_cast<unsigned>(below(4)) << 3 | (reg & 7)});
      return;
    default:
      return with_registers(operation | 1, any_register(), reg);
  }
}

void SequenceGenerator::reads_flags() {
  unsigned condition = static_cast<unsigned>(below(16)), reg = any_register();
  switch (below(6)) {
    case 0:
      return bytes({0x40 | reg >> 3, 0x0f, 0x90 | condition, 0xc0 | (reg & 7)});  // setcc
    case 1:
      return bytes({kRexW | reg >> 3, 0x0f, 0x40 | condition, 0xc0 | (reg & 7)});  // cmovcc
    case 2:
      return bytes({0x9f});  // lahf
    case 3:
      return bytes({0x9c, 0x58});  // pushf, pop
    case 4:
      return with_registers(0x11, any_register(), reg);  // adc
    default:
      return with_registers(0x19, any_register(), reg);  // sbb
  }
}

void SequenceGenerator::changes_vectors() {
  unsigned reg = static_cast<unsigned>(below(8)), from = static_cast<unsigned>(below(8));
  if (once_in(2)) return bytes({0x66, 0x0f, 0xfe, 0xc0 | reg << 3 | from});  // paddd
  bytes({0x0f, 0x11, 0x04 | reg << 3, 0x25});                                // movups to memory
  word(kData + below(kDataBytes), 4);
}

// A conditional jump over a part, or to one of two parts.
void SequenceGenerator::branch(unsigned depth) {
  bytes({0x0f, 0x80 | static_cast<unsigned>(below(16))});
  size_t hole = code_.size();
  word(0, 4);
  body(1 + static_cast<unsigned>(below(3)), depth + 1);
  auto distance = static_cast<uint32_t>(code_.size() - hole - 4);
  for (unsigned i = 0; i < 4; ++i) code_[hole + i] = static_cast<uint8_t>(distance >> 8 * i);
}

// dec keeps the carry flag, so it passes from round to round.
void SequenceGenerator::loop() {
  bytes({0x41, 0x57, 0x41, 0xbf});  // push %r15; mov $rounds, %r15d
  word(1 + below(40), 4);
  size_t top = code_.size();
  unsigned items = 1 + static_cast<unsigned>(below(3));
  for (unsigned i = 0; i < items; ++i) once_in(3) ? reads_flags() : plain();
  if (once_in(3)) call();
  bytes({0x49, 0xff, 0xcf, 0x0f, 0x85});  // dec %r15; jnz
  word(top - code_.size() - 4, 4);
  bytes({0x41, 0x5f});  // pop %r15
}

// Calls a function directly, through a register, or through memory. Flags go in, and come back.
void SequenceGenerator::call() {
  if (functions_.empty()) return plain();
  uint64_t target = functions_[below(functions_.size())];
  switch (below(3)) {
    case 0:
      bytes({0xe8});
      word(target - here() - 4, 4);
      break;
    case 1:
      bytes({0xb8});  // mov $target, %eax
      word(target, 4);
      bytes({0xff, 0xd0});
      break;
    default: {
      uint64_t pointer = kPointers + 8 * below(64);
      bytes({0x48, 0xc7, 0x04, 0x25});  // movq $target, pointer
      word(pointer, 4);
      word(target, 4);
      bytes({0xff, 0x14, 0x25});
      word(pointer, 4);
    }
  }
  if (once_in(2)) reads_flags();
}

// Stores the address behind the faulting instruction, where the handler continues.
void SequenceGenerator::fault() {
  bytes({0x48, 0xc7, 0x04, 0x25});  // movq $address, kResumeSlot
  word(kResumeSlot, 4);
  size_t hole = code_.size();
  word(0, 4);
  switch (below(3)) {
    case 0:
      with_memory(0x8b, any_register(), kUnmapped + below(4000));  // mov: keeps the flags
      break;
    case 1:
      with_memory(0x89, any_register(), kUnmapped + below(4000));
      break;
    default:
      bytes({0x0f, 0x0b});  // ud2
  }
  uint64_t behind = here();
  for (unsigned i = 0; i < 4; ++i) code_[hole + i] = static_cast<uint8_t>(behind >> 8 * i);
}

// Changes the constant of an instruction shortly behind the store.
void SequenceGenerator::changes_code() {
  bytes({0xc7, 0x04, 0x25});  // movl $new, constant
  size_t hole = code_.size();
  word(0, 4);
  word(random(), 4);
  if (once_in(2)) plain();
  unsigned reg = any_register();
  bytes({kRexW | reg >> 3, 0x81, 0xc0 | (reg & 7)});  // add $constant, reg
  uint64_t constant = here();
  word(random(), 4);
  for (unsigned i = 0; i < 4; ++i) code_[hole + i] = static_cast<uint8_t>(constant >> 8 * i);
}

void SequenceGenerator::item(unsigned depth) {
  constexpr unsigned kMaxDepth = 3;
  switch (below(24)) {
    case 0:
    case 1:
    case 2:
    case 3:
    case 4:
      return reads_flags();
    case 5:
    case 6:
      return depth < kMaxDepth ? branch(depth) : plain();
    case 7:
      return depth == 0 ? loop() : plain();
    case 8:
    case 9:
    case 10:
      return call();
    case 11:
      return once_in(4) ? fault() : plain();
    case 12:
      return once_in(4) ? changes_code() : plain();
    case 13:
      return changes_vectors();
    default:
      return plain();
  }
}

void SequenceGenerator::body(unsigned items, unsigned depth) {
  for (unsigned i = 0; i < items; ++i) item(depth);
}

void SequenceGenerator::function() {
  uint64_t start = here();
  body(1 + static_cast<unsigned>(below(6)), 0);
  bytes({0xc3});
  functions_.push_back(start);
}

Sequence SequenceGenerator::next(uint64_t address) {
  constexpr unsigned kMaxFunctions = 4, kMaxItems = 12;
  address_ = address;
  code_.clear();
  functions_.clear();
  for (uint64_t count = below(kMaxFunctions); count != 0; --count) function();
  Sequence sequence{};
  sequence.header.seed = random();
  sequence.header.entry = static_cast<uint32_t>(code_.size());
  sequence.header.ignored_flags_at_fault = kStatusFlagsOfState;
  sequence.header.absent_at = kNoneAbsent;
  code_.push_back(kPopFlags);
  body(2 + static_cast<unsigned>(below(kMaxItems)), 0);
  sequence.code = code_;
  return sequence;
}

}  // namespace hm::direct_test
