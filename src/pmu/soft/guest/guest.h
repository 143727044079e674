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

class Guest final : public SampleSink {
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

  // Passes perf records of the guest's kernel to the recorder.
  void pass_records(const uint8_t* records, size_t bytes);

  void sample(unsigned core, uint64_t id, uint64_t period, const Cause& cause, uint64_t run_cycles) override;

 private:
  using BlockKey = std::tuple<uint64_t, uint64_t, uint32_t>;  // address, physical line, instructions

  void write(const void* record, uint32_t bytes);

  SessionLink link_;
  GuestMemory memory_;
  Registers registers_;
  model::SharedLevels shared_;
  std::vector<std::unique_ptr<GuestCore>> cores_;
  std::mutex blocks_lock_, ring_lock_;
  std::map<BlockKey, std::unique_ptr<Block>> blocks_;
  bool measures_ = false;
  int exit_status_ = 0;
};

}  // namespace hm::soft::guest
