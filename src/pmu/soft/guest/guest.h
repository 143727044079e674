// SPDX-License-Identifier: MIT
// The guest under QEMU: its modelled cores, the blocks of code that QEMU has translated, and the link to the
// recorder.
#pragma once

#include <array>
#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <tuple>
#include <vector>

#include "pmu/soft/guest/guest_core.h"
#include "pmu/soft/guest/guest_memory.h"
#include "pmu/soft/guest/registers.h"
#include "pmu/soft/guest/session_link.h"

namespace hm::soft::guest {

class Guest {
 public:
  // Opens the session whose folder the environment names. Returns false if it cannot be reached.
  bool open();

  // Builds the cores. Returns false if there is no memory.
  bool begin(unsigned cores);
  // Adds all counts to the totals, and closes the ring. No virtual CPU runs.
  void finish();

  [[nodiscard]] bool measures() const { return measures_; }
  // The block of these instructions; a block that QEMU translates again is the same one.
  Block* block_of(Block&& block);
  GuestCore& core(unsigned cpu) { return *cores_[cpu]; }
  GuestMemory& memory() { return memory_; }
  Registers& registers() { return registers_; }

  void end(int exit_status);
  [[nodiscard]] int exit_status() const { return exit_status_; }

  [[nodiscard]] unsigned line_shift();

 private:
  using BlockKey = std::tuple<uint64_t, uint64_t, uint32_t>;  // address, physical line, instructions

  SessionLink link_;
  GuestMemory memory_;
  Registers registers_;
  model::SharedLevels shared_;
  std::vector<std::unique_ptr<GuestCore>> cores_;
  std::mutex blocks_lock_;
  std::map<BlockKey, std::unique_ptr<Block>> blocks_;
  bool measures_ = false;
  int exit_status_ = 0;
};

}  // namespace hm::soft::guest
