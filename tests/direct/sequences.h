// SPDX-License-Identifier: MIT
// Makes random short programs, the same for the same seed: functions that call each other directly and
// through pointers, flags that calls and returns pass on, loops, branches, stores that change the code behind
// them, and faults whose handler continues behind the instruction.
#pragma once

#include <cstdint>
#include <vector>

#include "block_state.h"

namespace hm::direct_test {

struct Sequence {
  BlockHeader header;
  std::vector<uint8_t> code;
};

class SequenceGenerator {
 public:
  explicit SequenceGenerator(uint64_t seed) : random_(seed * 2654435761u + 88172645463325252u) {}

  // Returns the next program, for a block that starts at `address`.
  Sequence next(uint64_t address);

 private:
  uint64_t random();
  uint64_t below(uint64_t end) { return (random() >> 8) % end; }
  bool once_in(unsigned n) { return below(n) == 0; }
  unsigned any_register();

  [[nodiscard]] uint64_t here() const { return address_ + code_.size(); }
  void bytes(std::initializer_list<unsigned> list);
  void word(uint64_t value, unsigned count);
  void with_registers(unsigned opcode, unsigned reg, unsigned rm);
  void with_memory(unsigned opcode, unsigned reg, uint64_t at);

  void function();
  void body(unsigned items, unsigned depth);
  void item(unsigned depth);
  void plain();
  void reads_flags();
  void branch(unsigned depth);
  void loop();
  void call();
  void fault();
  void changes_code();
  void changes_vectors();

  uint64_t random_;
  uint64_t address_ = 0;
  std::vector<uint8_t> code_;
  std::vector<uint64_t> functions_;  // addresses of those that exist
};

}  // namespace hm::direct_test
