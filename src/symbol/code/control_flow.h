// SPDX-License-Identifier: MIT
// Finds the paths by which control can reach a code location in a function.
#pragma once

#include <cstdint>
#include <vector>

#include "base/bytes.h"
#include "symbol/code/flow.h"
#include "symbol/unwind/registers.h"

namespace hm::symbol {

// One way to reach an address: the instruction that was executed last before it.
struct Way {
  enum class Kind : uint8_t {
    kThrough,  // the preceding instruction, which falls through
    kJump,     // an instruction that jumps there
    kReturn,   // a call or system call that returned; other code was executed in between
    kEntry,    // a call of the function from anywhere
    kItself,   // the instruction at the address itself, interrupted when half done
  };
  Kind kind = Kind::kThrough;
  uint64_t from = 0;                    // address of the instruction; 0 for kEntry
  uint8_t length = 0;                   // of the instruction, in bytes
  uint8_t condition = kNoCondition;     // condition on the flags that must hold
  uint8_t jump_register = kNoRegister;  // register that must contain the sampled address
};

// Returns true if the registers at the sampled address `ip` are consistent with this way: a jump changes
// neither the flags nor the registers. Unknown registers are consistent with every way.
[[nodiscard]] bool possible(const Way& way, const RegisterValues& registers, uint64_t ip);

// A function, decoded once from its first byte to its last. Decoding ends at the first invalid instruction.
class ControlFlow {
 public:
  // Addresses are those in the object. `data_pointers` are the sorted addresses inside the function that the
  // object's data holds, for example in jump tables.
  ControlFlow(Bytes code, uint64_t start, const std::vector<uint64_t>& data_pointers);

  // Adds a jump to `address` from outside the function.
  void add_jump(uint64_t address, const Way& way);

  // Returns false if decoding does not reach `address` or ends exactly there.
  [[nodiscard]] bool reaches(uint64_t address) const;
  // Returns every way to an address for which reaches() is true.
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
    uint64_t to;  // 0 if a register or memory contains the target
    Way way;
  };

  [[nodiscard]] size_t find(uint64_t address) const;
  void take(const FlowInstruction& instruction, uint64_t address);
  // Keeps at most two equal indirect jumps: two are enough to make the result ambiguous.
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
  std::vector<uint64_t> indirect_targets_;  // possible targets of memory_jumps_
};

}  // namespace hm::symbol
