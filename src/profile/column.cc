// SPDX-License-Identifier: MIT
#include "profile/column.h"

#include <utility>

namespace hm::profile {

void Column::skip_to(size_t index) {
  if (measured_.empty()) measured_.assign(size(), true);
  measured_.resize(index, false);
  is_wide_ ? wide_.resize(index) : narrow_.resize(index);
}

void Column::widen() {
  wide_.reserve(narrow_.capacity());
  wide_.assign(narrow_.begin(), narrow_.end());
  narrow_ = {};
  is_wide_ = true;
}

void Column::append(Column part, size_t row, size_t rows) {
  if (part.empty()) return;
  if (row == 0 && part.size() == rows) {
    *this = std::move(part);
    return;
  }
  if (part.is_wide_ && !is_wide_) widen();
  is_wide_ ? wide_.reserve(rows) : narrow_.reserve(rows);
  if (row > size()) skip_to(row);
  if (!measured_.empty() || !part.measured_.empty()) {
    measured_.resize(size(), true);
    part.measured_.resize(part.size(), true);
    measured_.insert(measured_.end(), part.measured_.begin(), part.measured_.end());
  }
  if (!is_wide_)
    narrow_.insert(narrow_.end(), part.narrow_.begin(), part.narrow_.end());
  else if (part.is_wide_)
    wide_.insert(wide_.end(), part.wide_.begin(), part.wide_.end());
  else
    wide_.insert(wide_.end(), part.narrow_.begin(), part.narrow_.end());
}

}  // namespace hm::profile
