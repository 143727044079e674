// SPDX-License-Identifier: MIT
// How long a core takes for a sequence of instructions that miss nothing: each waits for its operands, for a
// unit, and for room in the window. As uiCA (Abel and Reineke, "uiCA: Accurate Throughput Prediction of Basic
// Blocks on Recent Intel Microarchitectures", ICS 2022) and llvm-mca do, but coarser. Freestanding.
//
// The order of instructions decides which of them gets a unit first. Stores take no time but their unit's,
// and values do not wait in memory: a load of a value that was just stored takes as long as any other.
#pragma once

#include <stdint.h>

#include "model/cost/costs.h"

namespace hm::model {

// Sets of registers: bits 0 to 15 are the general ones, kFlags and kX87 one each, and the vector registers
// begin at kVectors.
struct Registers {
  static constexpr unsigned kFlags = 16, kX87 = 17, kVectors = 32, kCount = 64;
};

enum class Unit : uint8_t { kNone, kInteger, kVector, kDivider, kVectorDivider };

struct FlowInstruction {
  uint64_t reads = 0;    // registers with operands
  uint64_t address = 0;  // registers in the address of a load
  uint64_t writes = 0;
  uint8_t loads = 0, stores = 0;
  uint8_t latency = 0;  // cycles from the operands to the result, without the load
  Unit unit = Unit::kNone;
  uint8_t busy = 1;         // cycles of one unit of this kind; there is one divider of each kind
  bool serializes = false;  // nothing that follows enters the window before it is complete
  bool fused = false;       // with the instruction before: a branch with its comparison
  bool to_vector = false;   // the load's result goes to a vector register
  bool branches = false;    // continues elsewhere
};

class Dataflow {
 public:
  explicit Dataflow(const Pipeline& pipeline) : pipeline_(pipeline) {}

  void run(const FlowInstruction& each) {
    uint64_t entered = enter(each);
    uint64_t ready = latest(each.reads, entered);
    if (each.loads != 0) {
      uint64_t address = latest(each.address, entered);
      uint64_t begin = take(load_free_, entered, address, uint64_t{each.loads} * pipeline_.load);
      uint64_t loaded = begin + pipeline_.l1_latency + (each.to_vector ? pipeline_.vector_load_more : 0);
      ready = larger(ready, loaded);
    }
    if (each.stores != 0) take(store_free_, entered, entered, uint64_t{each.stores} * pipeline_.store);
    if (each.unit == Unit::kInteger)
      ready = take(integer_free_, entered, ready, each.busy * pipeline_.integer);
    if (each.unit == Unit::kVector) ready = take(vector_free_, entered, ready, each.busy * pipeline_.vector);
    if (each.unit == Unit::kDivider)
      ready = take(divider_free_, entered, ready, each.busy * Costs::kPerCycle);
    if (each.unit == Unit::kVectorDivider)
      ready = take(vector_divider_free_, entered, ready, each.busy * Costs::kPerCycle);
    uint64_t complete = ready + uint64_t{each.latency} * Costs::kPerCycle;
    for (uint64_t left = each.writes; left != 0; left &= left - 1)
      ready_[static_cast<unsigned>(__builtin_ctzll(left))] = complete;
    if (each.serializes) entry_ = complete;
    retired_ = larger(retired_, complete);
    if (!each.fused) retirements_[count_++ % kMaxWindow] = retired_;
  }

  // The longest time that a part of the core, or a register's value, needed since `before`, a copy of this
  // object some instructions ago. In parts of a cycle (Costs::kPerCycle).
  [[nodiscard]] uint64_t time_since(const Dataflow& before) const {
    uint64_t time = larger(entry_ - before.entry_, retired_ - before.retired_);
    time = larger(time, larger(load_free_ - before.load_free_, store_free_ - before.store_free_));
    time = larger(time, larger(integer_free_ - before.integer_free_, vector_free_ - before.vector_free_));
    time = larger(time, larger(divider_free_ - before.divider_free_,
                               vector_divider_free_ - before.vector_divider_free_));
    for (unsigned i = 0; i < Registers::kCount; ++i) time = larger(time, ready_[i] - before.ready_[i]);
    return time;
  }

 private:
  static constexpr uint32_t kMaxWindow = 512;

  static uint64_t larger(uint64_t one, uint64_t other) { return one < other ? other : one; }

  // Returns when a unit begins with an operation that entered the window at `entered` and has its operands
  // at `ready`. The unit's time is shared in the order of entry: an operation that waits for its operands
  // lets younger ones pass.
  static uint64_t take(uint64_t& free, uint64_t entered, uint64_t ready, uint64_t busy) {
    uint64_t turn = larger(free, entered);
    free = turn + busy;
    return larger(turn, ready);
  }

  uint64_t enter(const FlowInstruction& each) {
    if (!each.fused) {
      uint32_t window = pipeline_.window < kMaxWindow ? pipeline_.window : kMaxWindow;
      if (count_ >= window) entry_ = larger(entry_, retirements_[(count_ - window) % kMaxWindow]);
      entry_ += pipeline_.width;
    }
    if (each.branches) entry_ = branched_ = larger(entry_, branched_ + pipeline_.taken_branch);
    return entry_;
  }

  [[nodiscard]] uint64_t latest(uint64_t registers, uint64_t time) const {
    for (uint64_t left = registers; left != 0; left &= left - 1)
      time = larger(time, ready_[static_cast<unsigned>(__builtin_ctzll(left))]);
    return time;
  }

  Pipeline pipeline_;
  uint64_t entry_ = 0, branched_ = 0, retired_ = 0;
  uint64_t load_free_ = 0, store_free_ = 0, integer_free_ = 0, vector_free_ = 0;
  uint64_t divider_free_ = 0, vector_divider_free_ = 0;
  uint64_t ready_[Registers::kCount] = {};
  uint64_t retirements_[kMaxWindow] = {};
  uint32_t count_ = 0;
};

// Returns the time of the instructions if they are run again and again, in parts of a cycle: a path through a
// loop, or code that is followed by similar code. `count` is not 0.
inline uint64_t time_of_path(const Pipeline& pipeline, const FlowInstruction* path, unsigned count) {
  constexpr unsigned kFewest = 4, kMost = 32, kCounted = 4;
  unsigned to_fill = pipeline.window / count + 1;  // until the window is full
  unsigned before = to_fill < kFewest ? kFewest : to_fill > kMost ? kMost : to_fill;
  Dataflow flow(pipeline);
  const auto run = [&](unsigned times) {
    for (unsigned i = 0; i < times * count; ++i) flow.run(path[i % count]);
  };
  run(before);
  Dataflow then = flow;
  run(kCounted);
  return flow.time_since(then) / kCounted;
}

}  // namespace hm::model
