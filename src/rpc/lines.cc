// SPDX-License-Identifier: MIT
#include "rpc/lines.h"

namespace hm::rpc {

void Lines::add(std::string_view bytes) { bytes_.append(bytes); }

std::optional<Lines::Line> Lines::next() {
  size_t end = bytes_.find('\n', searched_);
  if (end == std::string::npos) {
    if (bytes_.size() > max_bytes_) {
      too_long_ = true;
      bytes_.clear();
    }
    searched_ = bytes_.size();
    return std::nullopt;
  }
  Line line{bytes_.substr(0, end), too_long_ || end > max_bytes_};
  bytes_.erase(0, end + 1);
  searched_ = 0;
  too_long_ = false;
  if (line.too_long) line.text.clear();
  return line;
}

std::optional<Lines::Line> Lines::rest() {
  if (bytes_.empty() && !too_long_) return std::nullopt;
  bytes_.push_back('\n');
  return next();
}

}  // namespace hm::rpc
