// SPDX-License-Identifier: MIT
// The guest under QEMU: its modelled cores, the blocks of code that QEMU has translated, and the link to the
// recorder.
#pragma once

#include <array>
#include <atomic>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "pmu/soft/guest/guest_core.h"
#include "pmu/soft/guest/guest_memory.h"
#include "pmu/soft/guest/guest_records.h"
#include "pmu/soft/guest/hypercall.h"
#include "pmu/soft/guest/registers.h"
#include "pmu/soft/guest/session_link.h"

namespace hm::soft::guest {

class Guest {
 public:
  // Opens the session whose folder the environment names. Returns false if it cannot be reached.
  bool open();

  // Copies a file about the guest's kernel from the guest's memory to the session's folder. Called by a
  // virtual CPU. A guest that was saved has passed on its files before.
  void take_table(KernelTable table, uint64_t address, uint64_t bytes);
  // Builds the cores and opens the ring. Returns the reason if that fails.
  [[nodiscard]] std::string begin(unsigned cores);
  // Adds all counts to the totals, and closes the ring. No virtual CPU runs.
  void finish();

  [[nodiscard]] bool measures() const { return measures_; }
  // The block of these instructions; a block that QEMU translates again is the same one.
  Block* block_of(Block&& block);
  GuestCore& core(unsigned cpu) { return *cores_[cpu]; }
  GuestMemory& memory() { return memory_; }
  Registers& registers() { return registers_; }
  // Null if no samples are taken.
  GuestRecords* records() { return records_.get(); }

  // The guest's kernel reports something to perf. Called by a virtual CPU.
  void report(unsigned cpu, KernelReport what);

  void pause() { measures_ = false; }
  void end(int exit_status);
  [[nodiscard]] int exit_status() const { return exit_status_; }

  [[nodiscard]] unsigned line_shift();

  // Reads the guest's memory at a virtual address of the CPU that runs.
  static bool read_memory(uint64_t address, void* to, uint32_t bytes);

 private:
  static constexpr int kNoProgramEnded = 125;  // also of docker and env(1), if they fail themselves
  using BlockKey = std::vector<uint64_t>;      // addresses of its instructions, and its physical lines

  [[nodiscard]] bool takes_samples();
  [[nodiscard]] std::string begin_records();
  void write_file(const char* name, const std::string& text) const;
  [[nodiscard]] std::string read_file(const char* name) const;

  SessionLink link_;
  std::string folder_;  // of the session
  GuestMemory memory_;
  PageSizes page_sizes_{[this](uint64_t physical) { return memory_.load(physical); }};
  Registers registers_;
  std::unique_ptr<GuestRecords> records_;
  model::SharedLevels shared_;
  std::vector<std::unique_ptr<GuestCore>> cores_;
  std::map<BlockKey, std::unique_ptr<Block>> blocks_;
  std::atomic<bool> measures_ = false;
  std::atomic<int> exit_status_ = kNoProgramEnded;
};

}  // namespace hm::soft::guest
