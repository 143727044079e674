// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace hm::profile {

// One number a sample, or none where it was not measured. A column that no sample has takes no space.
class Column {
 public:
  void set(size_t index, uint64_t value) {
    if (index >= values_.size()) {
      values_.resize(index + 1);
      measured_.resize(index + 1);
    }
    values_[index] = value;
    measured_[index] = true;
  }

  [[nodiscard]] std::optional<uint64_t> at(size_t index) const {
    if (index >= values_.size() || !measured_[index]) return std::nullopt;
    return values_[index];
  }

  // No sample has it.
  [[nodiscard]] bool empty() const { return values_.empty(); }

 private:
  std::vector<uint64_t> values_;
  std::vector<bool> measured_;
};

}  // namespace hm::profile
