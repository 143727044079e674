// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace hm::rpc {

// Splits a stream of bytes into lines, which end at line feeds. Keeps at most `max_bytes` of a line.
class Lines {
 public:
  struct Line {
    std::string text;  // without its line feed; empty if it is too long
    bool too_long = false;
  };

  explicit Lines(size_t max_bytes) : max_bytes_(max_bytes) {}

  void add(std::string_view bytes);
  // Returns the next complete line, or nullopt if more bytes are needed.
  [[nodiscard]] std::optional<Line> next();
  // Returns what follows the last line feed, after the end of the stream; nullopt if nothing does.
  [[nodiscard]] std::optional<Line> rest();

 private:
  size_t max_bytes_;
  std::string bytes_;
  size_t begin_ = 0;       // of the current line in `bytes_`
  size_t searched_ = 0;    // bytes of the current line, without a line feed
  bool too_long_ = false;  // the current line is, and its bytes so far were dropped
};

}  // namespace hm::rpc
