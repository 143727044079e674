// SPDX-License-Identifier: MIT
// By which ways control can arrive at a place in a function.
#pragma once

#include <cstdint>
#include <vector>

#include "base/bytes.h"
#include "symbol/code/flow.h"
#include "symbol/unwind/registers.h"

namespace hm::symbol {

// One way to arrive at an address: what was executed last before.
struct Way {
  enum class Kind : uint8_t {
    kThrough,  // the instruction that ends there, going on to the next
    kJump,     // one that jumps there
    kReturn,   // a call or a system call that came back: much else was executed in between
    kEntry,    // a call of the function, from anywhere
    kItself,   // the instruction there, which was interrupted when half done
  };
  Kind kind = Kind::kThrough;
  uint64_t from = 0;                    // address of the instruction; 0 for kEntry
  uint8_t length = 0;                   // of it, bytes
  uint8_t condition = kNoCondition;     // that must hold, of the flags
  uint8_t jump_register = kNoRegister;  // that must point to where the sample was taken
};

// Whether the registers at `ip`, the address where the sample was taken, allow that control came this way: a
// jump leaves both the flags and the registers as it found them. What is not known allows everything.
[[nodiscard]] bool possible(const Way& way, const RegisterValues& registers, uint64_t ip);

// A function, decoded once from its first byte to its last. Where no instruction begins, decoding ends.
class ControlFlow {
 public:
  // Addresses are those of the object; `data_pointers`: addresses inside the function that the object's data
  // holds, in order, such as jump tables.
  ControlFlow(Bytes code, uint64_t start, const std::vector<uint64_t>& data_pointers);

  // A jump to `address` from outside.
  void add_jump(uint64_t address, const Way& way);

  // False where decoding does not arrive at `address` or ends just there.
  [[nodiscard]] bool reaches(uint64_t address) const;
  // Every way to an address that it reaches.
  [[nodiscard]] std::vector<Way> ways_to(uint64_t address) const;

 private:
  struct Step {
    uint32_t offset;  // from start_
    uint8_t length;
    Flow flow;
    uint8_t condition;
    bool restarts;
  };
  struct Jump {
    uint64_t to;  // 0 where only the registers or the memory tell
    Way way;
  };

  [[nodiscard]] size_t find(uint64_t address) const;
  void take(const FlowInstruction& instruction, uint64_t address);
  // Of indirect jumps alike two are enough to leave open which it was.
  static void add_indirect(const Way& way, std::vector<Way>& ways);
  void sort();
  void add_fall_through(size_t index, std::vector<Way>& ways) const;
  void add_jumps(uint64_t address, std::vector<Way>& ways) const;

  uint64_t start_;
  uint64_t size_;
  std::vector<Step> steps_;
  std::vector<Jump> jumps_;  // direct, by target
  std::vector<Way> register_jumps_;
  std::vector<Way> memory_jumps_;
  std::vector<uint64_t> indirect_targets_;  // where memory_jumps_ may lead
};

}  // namespace hm::symbol
