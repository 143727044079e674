// SPDX-License-Identifier: MIT
// The modelled branch predictor: gshare for conditional branches (McFarling, "Combining Branch Predictors",
// WRL TN-36, 1993), a direct-mapped target buffer for indirect jumps and calls, a circular return stack.
// Freestanding.
#pragma once

#include <stdint.h>

#include "model/arena.h"

namespace hm::model {

class BranchPredictor {
 public:
  static constexpr unsigned kHistoryBits = 14;
  static constexpr uint32_t kTargets = 4096;
  static constexpr uint32_t kReturns = 16;

  BranchPredictor() = default;
  explicit BranchPredictor(Arena& arena)
      : counters_(arena.take<uint8_t>(size_t{1} << kHistoryBits)),
        targets_(arena.take<uint64_t>(kTargets)),
        returns_(arena.take<uint64_t>(kReturns)) {}

  // Each function returns whether the prediction was right, and updates the predictor.

  bool conditional(uint64_t ip, bool taken) {
    uint8_t& counter = counters_[(ip ^ history_) & kHistoryMask];
    bool predicted = counter >= 2;
    if (taken && counter < 3) ++counter;
    if (!taken && counter > 0) --counter;
    history_ = ((history_ << 1) | (taken ? 1 : 0)) & kHistoryMask;
    return predicted == taken;
  }

  bool indirect(uint64_t ip, uint64_t target) {
    uint64_t& entry = targets_[ip & (kTargets - 1)];
    bool right = entry == target;
    entry = target;
    return right;
  }

  void call(uint64_t return_address) { returns_[++top_ % kReturns] = return_address; }

  bool ret(uint64_t target) { return returns_[top_-- % kReturns] == target; }

 private:
  static constexpr uint64_t kHistoryMask = (uint64_t{1} << kHistoryBits) - 1;

  uint8_t* counters_ = nullptr;  // two-bit saturating counters, initially "strongly not taken"
  uint64_t* targets_ = nullptr;
  uint64_t* returns_ = nullptr;
  uint64_t history_ = 0;
  uint32_t top_ = 0;
};

}  // namespace hm::model
