// SPDX-License-Identifier: MIT
#include "rpc/lines.h"

namespace hm::rpc {

void Lines::add(std::string_view bytes) { bytes_.append(bytes); }

std::optional<Lines::Line> Lines::next() {
  size_t end = bytes_.find('\n', begin_ + searched_);
  if (end == std::string::npos) {
    bytes_.erase(0, begin_);  // only now: erasing after each line would take quadratic time
    begin_ = 0;
    if (bytes_.size() > max_bytes_) {
      too_long_ = true;
      bytes_.clear();
    }
    searched_ = bytes_.size();
    return std::nullopt;
  }
  Line line{bytes_.substr(begin_, end - begin_), too_long_ || end - begin_ > max_bytes_};
  begin_ = end + 1;
  searched_ = 0;
  too_long_ = false;
  if (line.too_long) line.text.clear();
  return line;
}

std::optional<Lines::Line> Lines::rest() {
  if (begin_ == bytes_.size() && !too_long_) return std::nullopt;
  bytes_.push_back('\n');
  return next();
}

}  // namespace hm::rpc
