// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <utility>

#include "base/result.h"

namespace hm::exports {

// Callback that receives an export's output, a part at a time.
using Write = std::function<Status(std::string_view)>;

// Buffers the appended text and writes it in pieces of about a megabyte. After the first error all input is
// dropped, and finish() returns that error.
class Pieces {
 public:
  explicit Pieces(Write write) : write_(std::move(write)) {}

  Pieces& operator<<(std::string_view text) {
    if (!status_) return *this;
    text_ += text;
    if (text_.size() >= kManyBytes) flush();
    return *this;
  }

  [[nodiscard]] Status finish() {
    if (status_ && !text_.empty()) flush();
    return status_;
  }

 private:
  static constexpr size_t kManyBytes = size_t{1} << 20;

  void flush() {
    status_ = write_(text_);
    text_.clear();
  }

  Write write_;
  std::string text_;
  Status status_;
};

}  // namespace hm::exports
