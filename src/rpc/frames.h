// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace hm::rpc {

// Splits a stream of bytes into messages with headers, as the Language Server Protocol has them:
// "Content-Length: N\r\n\r\n" and N bytes.
class Frames {
 public:
  struct Frame {
    std::string text;  // empty if it is too long
    bool too_long = false;
  };

  explicit Frames(size_t max_bytes) : max_bytes_(max_bytes) {}

  void add(std::string_view bytes) { bytes_.append(bytes); }
  // Returns the next complete message, or nullopt if more bytes are needed, or if is_damaged().
  [[nodiscard]] std::optional<Frame> next();
  // True if a header has no valid length: where the next message begins is then unknown.
  [[nodiscard]] bool is_damaged() const { return damaged_; }

 private:
  // Removes a header from the bytes, and returns its length; nullopt if it is not complete or not valid.
  std::optional<size_t> take_header();

  size_t max_bytes_;
  std::string bytes_;
  std::optional<size_t> length_;  // of the message whose header was read
  size_t to_skip_ = 0;            // bytes of a message that is too long
  bool damaged_ = false;
};

// Returns a message with its header.
[[nodiscard]] std::string framed(std::string_view message);

}  // namespace hm::rpc
