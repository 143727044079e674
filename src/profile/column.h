// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace hm::profile {

// One number a sample, or none where it was not measured. A column that no sample has takes no space; one
// whose numbers are all below 2^32 takes four bytes a sample, any other eight.
class Column {
 public:
  void set(size_t index, uint64_t value) {
    if (index > size()) skip_to(index);
    if (!is_wide_ && value > UINT32_MAX) widen();
    if (index == size()) {
      is_wide_ ? wide_.push_back(value) : narrow_.push_back(static_cast<uint32_t>(value));
      if (!measured_.empty()) measured_.push_back(true);
      return;
    }
    is_wide_ ? wide_[index] = value : narrow_[index] = static_cast<uint32_t>(value);
    if (!measured_.empty()) measured_[index] = true;
  }

  [[nodiscard]] std::optional<uint64_t> at(size_t index) const {
    if (index >= size() || (!measured_.empty() && !measured_[index])) return std::nullopt;
    return is_wide_ ? wide_[index] : narrow_[index];
  }

  // No sample has it.
  [[nodiscard]] bool empty() const { return size() == 0; }

  // Puts a column's numbers from `row` on, which must be behind all that are here. `rows`: how many there
  // will be in the end.
  void append(Column part, size_t row, size_t rows);

 private:
  [[nodiscard]] size_t size() const { return is_wide_ ? wide_.size() : narrow_.size(); }
  void skip_to(size_t index);
  void widen();

  bool is_wide_ = false;
  std::vector<uint32_t> narrow_;  // where not is_wide_
  std::vector<uint64_t> wide_;
  std::vector<bool> measured_;  // empty: all are
};

}  // namespace hm::profile
