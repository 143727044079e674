// SPDX-License-Identifier: MIT
// The other oracle: this machine's processor, which runs one instruction on a given state. Hosted; for tests.
#pragma once

#include <array>
#include <csignal>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <vector>

#include "pmu/soft/direct/decode/instruction.h"

namespace hm::soft::direct {

// Memory for the instruction to work on, zero at first. Registers from kDataAddress to kDataAddress +
// kDataBase lead into it however an address with a displacement of 8 bits is made of them.
inline constexpr uint64_t kDataAddress = 0x04000000;
inline constexpr uint64_t kDataBase = 0x00100000;
inline constexpr uint64_t kDataBytes = 9 * (kDataAddress + kDataBase);

struct ProcessorState {
  std::array<uint64_t, 16> registers;  // rsp is the test's own
  uint64_t flags;
};

class Processor {
 public:
  Processor();
  ~Processor();
  Processor(const Processor&) = delete;
  Processor& operator=(const Processor&) = delete;

  // False where the addresses that this needs are taken.
  [[nodiscard]] bool is_usable() const { return frame_ != nullptr; }

  // What run() runs: no branch, nothing that uses rsp or asks the operating system.
  void load(const std::vector<uint8_t>& instruction);

  // The state after it, status and direction flags alone; nothing where it faults. Vector state is the same
  // before each run.
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
