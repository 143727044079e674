// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace hm::profile {

// A column with one number for each sample, or none if it was not measured. A column without any values takes
// no space. If all values are below 2^32, a value takes four bytes, otherwise eight.
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

  // Returns true if no sample has a value.
  [[nodiscard]] bool empty() const { return size() == 0; }

  // Copies the values of `part` to the rows from `row` on, which must be after all rows so far. `rows` is the
  // final number of rows.
  void append(Column part, size_t row, size_t rows);

 private:
  [[nodiscard]] size_t size() const { return is_wide_ ? wide_.size() : narrow_.size(); }
  void skip_to(size_t index);
  void widen();

  bool is_wide_ = false;
  std::vector<uint32_t> narrow_;  // used if not is_wide_
  std::vector<uint64_t> wide_;
  std::vector<bool> measured_;  // empty: all rows are measured
};

}  // namespace hm::profile
