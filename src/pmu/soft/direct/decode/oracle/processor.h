// SPDX-License-Identifier: MIT
// The other oracle: the processor of this machine, which runs one instruction on a given state. Hosted; for
// tests.
#pragma once

#include <array>
#include <csignal>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <vector>

#include "pmu/soft/direct/decode/instruction.h"

namespace hm::soft::direct {

// Memory for the instruction's accesses, initially zero. Register values from kDataAddress to kDataAddress +
// kDataBase lead into this memory in every address form with an 8-bit displacement.
inline constexpr uint64_t kDataAddress = 0x04000000;
inline constexpr uint64_t kDataBase = 0x00100000;
inline constexpr uint64_t kDataBytes = 9 * (kDataAddress + kDataBase);

struct ProcessorState {
  std::array<uint64_t, 16> registers;  // rsp belongs to the test
  uint64_t flags;
};

class Processor {
 public:
  Processor();
  ~Processor();
  Processor(const Processor&) = delete;
  Processor& operator=(const Processor&) = delete;

  // Returns false if the required addresses are in use.
  [[nodiscard]] bool is_usable() const { return frame_ != nullptr; }

  // Sets the instruction for run(): no branch, no use of rsp, no system call.
  void load(const std::vector<uint8_t>& instruction);

  // Returns the state after the instruction, with only the status and direction flags; nothing if it faults.
  // Vector state is the same before each run.
  std::optional<ProcessorState> run(const ProcessorState& state);

 private:
  struct Frame;

  void save_vector_state();
  void restore_vector_state();
  void put(std::initializer_list<uint8_t> bytes);
  void put_address(size_t offset);
  void put_moves(uint8_t opcode);

  Frame* frame_ = nullptr;
  std::vector<uint8_t> code_;
  struct sigaction before_[NSIG] {};
};

}  // namespace hm::soft::direct
