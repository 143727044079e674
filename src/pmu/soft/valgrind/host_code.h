// SPDX-License-Identifier: GPL-2.0-or-later
// Encodes the few x86-64 instructions of sites. Encodings: Intel SDM volume 2. All our addresses are below 2
// GiB (the tool is linked there), so they fit a signed 32-bit displacement.
#pragma once

#include <stdint.h>

namespace hm::soft::vg {

enum class Reg : uint8_t { kAx = 0, kCx = 1, kDx = 2, kBp = 5, kSi = 6, kDi = 7 };
enum class Condition : uint8_t { kEqual = 4, kNotEqual = 5, kBelowOrEqual = 6, kAbove = 7 };

constexpr Condition opposite(Condition condition) {
  return static_cast<Condition>(static_cast<uint8_t>(condition) ^ 1);
}

class HostCode {
 public:
  // `size` bytes have been written already.
  explicit HostCode(uint8_t* start, uint32_t size = 0) : start_(start), at_(start + size) {}

  [[nodiscard]] uint32_t size() const { return static_cast<uint32_t>(at_ - start_); }

  // to = from, 64 or 32 bits wide (zero-extended).
  void move(Reg to, Reg from) { bytes(0x48, 0x89, registers(from, to)); }
  void move32(Reg to, Reg from) { bytes(0x89, registers(from, to)); }
  void move32(Reg to, uint32_t value) {
    bytes(0xb8 + number(to));
    word32(value);
  }
  void move(Reg to, uint64_t value) {
    if (value >> 32 == 0) {
      move32(to, static_cast<uint32_t>(value));
    } else {
      bytes(0x48, 0xb8 + number(to));
      word32(static_cast<uint32_t>(value));
      word32(static_cast<uint32_t>(value >> 32));
    }
  }
  void shift_right32(Reg reg, uint8_t by) { bytes(0xc1, 0xe8 + number(reg), by); }
  void shift_left32(Reg reg, uint8_t by) { bytes(0xc1, 0xe0 + number(reg), by); }
  void and_eax(uint32_t mask) {
    bytes(0x25);
    word32(mask);
  }
  void compare(Reg reg, uint32_t value) {
    bytes(0x48, value < 128 ? 0x83 : 0x81, 0xf8 + number(reg));
    immediate(value);
  }

  // Memory at base + offset.
  void load(Reg to, Reg base, int64_t offset) { memory(0x48, 0x8b, number(to), base, offset); }
  void store(Reg base, int64_t offset, Reg from) { memory(0x48, 0x89, number(from), base, offset); }
  void add(Reg to, Reg base, int64_t offset) { memory(0x48, 0x03, number(to), base, offset); }
  void add_to(Reg base, int64_t offset, uint32_t value) {
    memory(0x48, value < 128 ? 0x83 : 0x81, 0, base, offset);
    immediate(value);
  }
  void load32(Reg to, Reg base, int64_t offset) {
    bytes(0x8b);
    operand(number(to), base, offset);
  }
  void test32(Reg reg) { bytes(0x85, registers(reg, reg)); }

  // Memory at one of our addresses, and in our tables: 16-bit entries indexed by rax into eax, 64-bit entries
  // by rax.
  void load_eax(uint64_t address) { absolute(0x8b, 0, address, false); }
  void increment(uint64_t address) { absolute(0xff, 0, address, true); }
  void load_half_by_rax(uint64_t table) {
    bytes(0x0f, 0xb7, 0x80);
    word32(static_cast<uint32_t>(table));
  }
  void subtract_by_rax(Reg from, uint64_t table) { by_rax(0x2b, number(from), table); }
  void store_by_rax(uint64_t table, Reg from) { by_rax(0x89, number(from), table); }

  void call(void (*function)()) {
    bytes(0x41, 0xbb);  // mov r11d, function
    word32(static_cast<uint32_t>(reinterpret_cast<uint64_t>(function)));
    bytes(0x41, 0xff, 0xd3);  // call r11
  }

  // Jumps forward by less than 128 bytes: land(returned value) sets the target to the current position.
  [[nodiscard]] uint8_t* jump_short_if(Condition condition) {
    bytes(0x70 | static_cast<uint8_t>(condition), 0);
    return at_;
  }
  [[nodiscard]] uint8_t* jump_short() {
    bytes(0xeb, 0);
    return at_;
  }
  void land(uint8_t* jump_end) const { jump_end[-1] = static_cast<uint8_t>(at_ - jump_end); }

  // A jump with any displacement, which is written later.
  void jump_if(Condition condition) {
    bytes(0x0f, 0x80 | static_cast<uint8_t>(condition));
    word32(0);
  }
  static void write_displacement(uint8_t* jump_end, uint32_t displacement) {
    HostCode(jump_end - 4).word32(displacement);
  }
  // Jumps to an offset from this code's start.
  void jump_to(uint32_t offset) {
    bytes(0xe9);
    word32(offset - (size() + 4));
  }

 private:
  static constexpr uint8_t number(Reg reg) { return static_cast<uint8_t>(reg); }
  static constexpr uint8_t registers(Reg reg, Reg rm) {
    return static_cast<uint8_t>(0xc0 | number(reg) << 3 | number(rm));
  }

  // As short as compare() and add_to() have assumed.
  void immediate(uint32_t value) {
    if (value < 128) {
      bytes(value);
    } else {
      word32(value);
    }
  }

  template <typename... Bytes>
  void bytes(Bytes... each) {
    ((*at_++ = static_cast<uint8_t>(each)), ...);
  }
  void word32(uint32_t value) {
    for (unsigned i = 0; i < 4; ++i) bytes(value >> (8 * i));
  }
  void memory(uint8_t rex, uint8_t opcode, uint8_t reg, Reg base, int64_t offset) {
    bytes(rex, opcode);
    operand(reg, base, offset);
  }
  // ModRM and displacement; our bases need no SIB byte.
  void operand(uint8_t reg, Reg base, int64_t offset) {
    bool is_short = offset >= -128 && offset < 128;
    bytes((is_short ? 0x40 : 0x80) | reg << 3 | number(base));
    if (is_short) {
      bytes(offset);
    } else {
      word32(static_cast<uint32_t>(offset));
    }
  }
  void absolute(uint8_t opcode, uint8_t reg, uint64_t address, bool wide) {
    if (wide) bytes(0x48);
    bytes(opcode, 0x04 | reg << 3, 0x25);
    word32(static_cast<uint32_t>(address));
  }
  void by_rax(uint8_t opcode, uint8_t reg, uint64_t table) {
    bytes(0x48, opcode, 0x80 | reg << 3);  // [rax + table]
    word32(static_cast<uint32_t>(table));
  }

  uint8_t* start_;
  uint8_t* at_;
};

}  // namespace hm::soft::vg
