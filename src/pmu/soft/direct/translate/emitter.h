// SPDX-License-Identifier: MIT
// Writes the x86-64 instructions of copies and checks. Encodings: Intel SDM volume 2.
#pragma once

#include <stdint.h>

#include "pmu/soft/direct/core/core.h"

namespace hm::soft::direct {

enum class Condition : uint8_t {
  kBelow = 2,
  kEqual = 4,
  kNotEqual = 5,
  kBelowOrEqual = 6,
  kAbove = 7,
  kLess = 12,
  kLessOrEqual = 14,
  kGreater = 15
};

// A memory operand. Without base and index, its address is the displacement, relative to GS.
struct Memory {
  uint8_t base = kNoReg;
  uint8_t index = kNoReg;
  uint8_t scale = 1;
  int32_t displacement = 0;
  bool gs = false;
};

// Returns the operand for a field of the running core.
constexpr Memory in_core(uint64_t offset) { return {kNoReg, kNoReg, 1, static_cast<int32_t>(offset), true}; }
// Returns the operand at the offset from the core that a register holds, plus `more` bytes.
constexpr Memory in_core_at(Reg offset, int32_t more) { return {offset, kNoReg, 1, more, true}; }
// Returns the operand for an element of one of the core's tables, `index * scale` bytes behind `offset`.
constexpr Memory in_core(uint64_t offset, Reg index, uint8_t scale) {
  return {kNoReg, index, scale, static_cast<int32_t>(offset), true};
}

class Emitter {
 public:
  Emitter() = default;
  explicit Emitter(uint8_t* at) : at_(at) {}

  [[nodiscard]] uint8_t* here() const { return at_; }

  void byte(uint8_t value) { *at_++ = value; }
  void bytes(const uint8_t* from, unsigned count) {
    for (unsigned i = 0; i < count; ++i) byte(from[i]);
  }
  template <typename... Bytes>
  void code(Bytes... each) {
    (byte(static_cast<uint8_t>(each)), ...);
  }
  void word16(uint16_t value) { code(value, value >> 8); }
  void word32(uint32_t value) {
    __builtin_memcpy(at_, &value, sizeof(value));
    at_ += sizeof(value);
  }
  void word64(uint64_t value) {
    __builtin_memcpy(at_, &value, sizeof(value));
    at_ += sizeof(value);
  }

  // Operands are 64 bits wide unless the name has another width. Writes of 32 bits clear the upper half.
  void load(Reg to, Memory from) { memory(true, 0x8b, to, from); }
  void load32(Reg to, Memory from) { memory(false, 0x8b, to, from); }
  void load16(Reg to, Memory from) {
    prefixes(false, to, from);
    code(0x0f, 0xb7);
    operand(to, from);
  }
  void load8(Reg to, Memory from) {
    prefixes(false, to, from);
    code(0x0f, 0xb6);
    operand(to, from);
  }
  void store8(Memory to, Reg from) { memory(false, 0x88, from, to); }  // not for sp, bp, si and di
  void store(Memory to, Reg from) { memory(true, 0x89, from, to); }
  void address(Reg to, Memory of) { memory(true, 0x8d, to, of); }  // lea: changes no flags
  void add(Reg to, Memory from) { memory(true, 0x03, to, from); }
  void subtract(Reg to, Memory from) { memory(true, 0x2b, to, from); }
  void subtract(Reg to, Reg value) { registers(true, 0x29, value, to); }
  void compare(Reg reg, Memory with) { memory(true, 0x3b, reg, with); }
  void compare(Reg reg, Reg with) { registers(true, 0x39, with, reg); }
  void call(Memory through) { memory(false, 0xff, static_cast<Reg>(2), through); }
  void jump(Memory through) { memory(false, 0xff, static_cast<Reg>(4), through); }
  void push(Memory from) { memory(false, 0xff, static_cast<Reg>(6), from); }
  void add(Memory to, Reg from) { memory(true, 0x01, from, to); }
  void add(Memory to, uint32_t value) {
    bool is_short = value < 128;
    memory(true, is_short ? 0x83 : 0x81, static_cast<Reg>(0), to);
    is_short ? byte(static_cast<uint8_t>(value)) : word32(value);
  }
  void subtract(Memory from, uint8_t value) {
    memory(true, 0x83, static_cast<Reg>(5), from);
    byte(value);
  }
  void store32(Memory to, Reg from) { memory(false, 0x89, from, to); }
  void store16(Memory to, Reg from) {
    byte(0x66);
    memory(false, 0x89, from, to);
  }
  void store32(Memory to, uint32_t value) {
    memory(false, 0xc7, static_cast<Reg>(0), to);
    word32(value);
  }

  void move(Reg to, Reg from) { registers(true, 0x89, from, to); }
  void move32(Reg to, Reg from) { registers(false, 0x89, from, to); }
  void move8(Reg to, Reg from) {  // clears the other bits of `to`
    code(0x40 | (to >= kR8 ? 4 : 0) | (from >= kR8 ? 1 : 0), 0x0f, 0xb6, 0xc0 | (to & 7) << 3 | (from & 7));
  }
  void test32(Reg reg) { registers(false, 0x85, reg, reg); }
  void test(Reg reg) { registers(true, 0x85, reg, reg); }
  void move(Reg to, uint64_t value) {
    if (value >> 32 == 0) {
      if (to >= kR8) byte(0x41);
      byte(static_cast<uint8_t>(0xb8 | (to & 7)));
      word32(static_cast<uint32_t>(value));
    } else {
      code(to >= kR8 ? 0x49 : 0x48, 0xb8 | (to & 7));
      word64(value);
    }
  }
  void and32(Reg reg, uint32_t mask) {
    if (reg >= kR8) byte(0x41);
    code(0x81, 0xe0 | (reg & 7));
    word32(mask);
  }
  void multiply32(Reg to, Reg from, uint32_t by) {
    registers(false, 0x69, to, from);
    word32(by);
  }
  void shift_right32(Reg reg, uint8_t by) { shift32(0xe8, reg, by); }
  void shift_right(Reg reg, uint8_t by) { code(reg >= kR8 ? 0x49 : 0x48, 0xc1, 0xe8 | (reg & 7), by); }
  void shift_left32(Reg reg, uint8_t by) { shift32(0xe0, reg, by); }
  void compare(Reg reg, uint8_t value) { code(reg >= kR8 ? 0x49 : 0x48, 0x83, 0xf8 | (reg & 7), value); }
  void compare32(Reg reg, uint32_t value) {
    if (reg >= kR8) byte(0x41);
    code(0x81, 0xf8 | (reg & 7));
    word32(value);
  }
  void set_bit(Reg reg, uint8_t bit) { code(reg >= kR8 ? 0x49 : 0x48, 0x0f, 0xba, 0xe8 | (reg & 7), bit); }
  void lowest_bit(Reg to, Reg of) {  // bsf: number of the lowest bit that is set; undefined if none is
    code(0x48 | (to >= kR8 ? 4 : 0) | (of >= kR8 ? 1 : 0), 0x0f, 0xbc, 0xc0 | (to & 7) << 3 | (of & 7));
  }
  void push(Reg reg) { one_register(0x50, reg); }
  void pop(Reg reg) { one_register(0x58, reg); }

  // land() writes the jump's displacement later. These functions return the address at which the displacement
  // ends.
  [[nodiscard]] uint8_t* jump_if(Condition condition) {
    code(0x0f, 0x80 | static_cast<uint8_t>(condition));
    word32(0);
    return at_;
  }
  [[nodiscard]] uint8_t* jump() {
    byte(0xe9);
    word32(0);
    return at_;
  }
  void jump_to(const uint8_t* to) { land(jump(), to); }
  static void land(uint8_t* displacement_end, const uint8_t* to) {
    auto displacement = static_cast<int32_t>(to - displacement_end);
    __builtin_memcpy(displacement_end - 4, &displacement, 4);
  }

  // Emits NOPs until the four bytes that begin `ahead` bytes from here lie within an aligned word of eight.
  // They can then be changed while other threads run them.
  void align_displacement(unsigned ahead) {
    while (((reinterpret_cast<uint64_t>(at_) + ahead) & 7) > 4) byte(0x90);
  }

  // Emits an opcode with ModRM for `reg` and a memory operand.
  void memory(bool wide, uint8_t opcode, uint8_t reg, Memory place) {
    prefixes(wide, reg, place);
    byte(opcode);
    operand(reg, place);
  }

  // Emits ModRM, SIB and displacement.
  void operand(uint8_t reg, Memory place) {
    auto field = static_cast<uint8_t>((reg & 7) << 3);
    uint8_t scale_bits = place.scale == 8 ? 0xc0 : place.scale == 4 ? 0x80 : place.scale == 2 ? 0x40 : 0;
    auto index = static_cast<uint8_t>(place.index == kNoReg ? 4 << 3 : (place.index & 7) << 3);
    if (place.base == kNoReg) {
      code(field | 4, scale_bits | index | 5);
      word32(static_cast<uint32_t>(place.displacement));
      return;
    }
    bool none = place.displacement == 0 && (place.base & 7) != kBp;
    bool is_short = place.displacement >= -128 && place.displacement < 128;
    uint8_t mode = none ? 0 : is_short ? 0x40 : 0x80;
    if (place.index != kNoReg || (place.base & 7) == kSp) {
      code(mode | field | 4, scale_bits | index | (place.base & 7));
    } else {
      code(mode | field | (place.base & 7));
    }
    if (none) return;
    is_short ? byte(static_cast<uint8_t>(place.displacement))
             : word32(static_cast<uint32_t>(place.displacement));
  }

 private:
  void prefixes(bool wide, uint8_t reg, Memory place) {
    if (place.gs) byte(0x65);
    auto rex = static_cast<uint8_t>((wide ? 8 : 0) | (reg >= 8 ? 4 : 0) |
                                    (place.index != kNoReg && place.index >= 8 ? 2 : 0) |
                                    (place.base != kNoReg && place.base >= 8 ? 1 : 0));
    if (rex != 0) byte(0x40 | rex);
  }
  void registers(bool wide, uint8_t opcode, Reg reg, Reg rm) {
    auto rex = static_cast<uint8_t>((wide ? 8 : 0) | (reg >= 8 ? 4 : 0) | (rm >= 8 ? 1 : 0));
    if (rex != 0) byte(0x40 | rex);
    code(opcode, 0xc0 | (reg & 7) << 3 | (rm & 7));
  }
  void shift32(uint8_t operation, Reg reg, uint8_t by) {
    if (reg >= 8) byte(0x41);
    code(0xc1, operation | (reg & 7), by);
  }
  void one_register(uint8_t opcode, Reg reg) {
    if (reg >= kR8) byte(0x41);
    byte(opcode | (reg & 7));
  }

  uint8_t* at_ = nullptr;
};

}  // namespace hm::soft::direct
