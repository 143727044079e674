// SPDX-License-Identifier: MIT
// The modelled branch predictor: branches that always go one way (branch_streaks.h), the outcome of others
// (outcome_predictor.h), targets of indirect jumps and calls (target_predictor.h), and a circular return
// stack. Freestanding.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "model/arena.h"
#include "model/branch/branch_history.h"
#include "model/branch/branch_streaks.h"
#include "model/branch/outcome_predictor.h"
#include "model/branch/target_predictor.h"

namespace hm::model {

class BranchPredictor {
 public:
  static constexpr uint32_t kReturns = 32;
  static constexpr uint32_t kBytesPerReturn = sizeof(uint64_t);

  BranchPredictor() = default;
  // Translated code reads `streaks` (BranchStreaks::long_streak).
  BranchPredictor(uint16_t* streaks, Arena& arena) : streaks_(streaks), outcomes_(arena), targets_(arena) {}

  // Whether this outcome would end a long streak.
  [[nodiscard]] bool ends_streak(uint64_t ip, bool taken) const { return streaks_.is_long(ip, !taken); }

  // Each function returns whether the prediction was right, and updates the predictor.

  // Translated code need not call this for an outcome of a long streak.
  bool conditional(uint64_t ip, bool taken) {
    using Expected = BranchStreaks::Expected;
    Expected expected = streaks_.count(ip, taken);
    if (expected == (taken ? Expected::kTaken : Expected::kNotTaken)) return true;
    bool right = outcomes_.predict(ip, taken, history_);
    history_.add(taken);
    return expected == Expected::kUnknown && right;
  }

  bool indirect(uint64_t ip, uint64_t target) {
    bool right = targets_.predict(ip, target, history_);
    uint64_t mixed = (target ^ target >> 7) >> 2;
    for (unsigned bit = 0; bit < kBitsOfTarget; ++bit) history_.add((mixed >> bit & 1) != 0);
    return right;
  }

  void call(uint64_t return_address) {
    top_ = static_cast<uint8_t>(top_ + kBytesPerReturn);
    returns_[top_ / kBytesPerReturn] = return_address;
  }

  bool ret(uint64_t target) {
    bool right = returns_[top_ / kBytesPerReturn] == target;
    top_ = static_cast<uint8_t>(top_ - kBytesPerReturn);
    return right;
  }

  // Translated code updates the return stack itself.
  static constexpr uint64_t returns_offset() { return offsetof(BranchPredictor, returns_); }
  static constexpr uint64_t top_offset() { return offsetof(BranchPredictor, top_); }

 private:
  static constexpr unsigned kBitsOfTarget = 3;  // that enter the history

  BranchStreaks streaks_;
  BranchHistory history_;
  OutcomePredictor outcomes_;
  TargetPredictor targets_;
  uint64_t returns_[kReturns]{};
  // Byte offset in returns_ of the last return address. Its overflow makes the stack circular.
  uint8_t top_ = 0;
  static_assert(sizeof(returns_) == size_t{UINT8_MAX} + 1);
};

}  // namespace hm::model
