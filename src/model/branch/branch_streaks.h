// SPDX-License-Identifier: MIT
// Recognizes conditional branches that have gone the same way for a long time. Most branches do: translated
// code compares the branch's entry with one number, and calls the predictor only if they differ.
// Freestanding.
//
// These branches stay out of the history of the others, as in a bias-free predictor (Gope and Lipasti,
// "Bias-Free Branch Predictor", MICRO 2014).
#pragma once

#include <stdint.h>

namespace hm::model {

inline constexpr uint32_t kBranchStreaks = 16384;

class BranchStreaks {
 public:
  static constexpr uint16_t kLong = 64;  // equal outcomes until the next one is expected to be equal, too

  enum class Expected : uint8_t { kUnknown, kTaken, kNotTaken };

  BranchStreaks() = default;
  explicit BranchStreaks(uint16_t* entries) : entries_(entries) {}  // kBranchStreaks of them

  // The entry of the branch at `ip`, and its value if its last kLong outcomes were `taken`.
  static uint32_t index_of(uint64_t ip) { return static_cast<uint32_t>(ip ^ ip >> 14) % kBranchStreaks; }
  static uint16_t long_streak(uint64_t ip, bool taken) { return value(ip, taken, kLong); }
  // The value after one outcome that differs from the one before. An entry's count is its low bits.
  static uint16_t first_of_streak(uint64_t ip, bool taken) { return value(ip, taken, 1); }
  static constexpr unsigned kCountBits = 7;

  // Whether the branch's last kLong outcomes were `taken`.
  [[nodiscard]] bool is_long(uint64_t ip, bool taken) const {
    return entries_[index_of(ip)] == long_streak(ip, taken);
  }

  // Returns the prediction of a long streak, and counts the outcome.
  Expected count(uint64_t ip, bool taken) {
    uint16_t& entry = entries_[index_of(ip)];
    if (entry == long_streak(ip, taken)) return taken ? Expected::kTaken : Expected::kNotTaken;
    bool broke = entry == long_streak(ip, !taken);
    bool goes_on = entry / kCounts == value(ip, taken, 0) / kCounts;
    entry = static_cast<uint16_t>(first_of_streak(ip, taken) + (goes_on ? entry % kCounts : 0));
    if (!broke) return Expected::kUnknown;
    return taken ? Expected::kNotTaken : Expected::kTaken;
  }

 private:
  static constexpr uint16_t kCounts = 1 << kCountBits;  // above the count are the outcome and a tag

  static uint16_t value(uint64_t ip, bool taken, uint16_t outcomes) {
    auto tag = static_cast<uint16_t>((ip >> 5 ^ ip >> 22) & 0xff);
    return static_cast<uint16_t>((tag << 1 | (taken ? 1 : 0)) * kCounts + outcomes);
  }

  uint16_t* entries_ = nullptr;
};

}  // namespace hm::model
