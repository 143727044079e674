// SPDX-License-Identifier: MIT
// Tokenizer for mangled names in Rust's v0 scheme: Rust RFC 2603, "Symbol name mangling v0".
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace hm::symbol::rust {

inline bool is_digit(char c) { return c >= '0' && c <= '9'; }
inline bool is_lower(char c) { return c >= 'a' && c <= 'z'; }
inline bool is_upper(char c) { return c >= 'A' && c <= 'Z'; }

inline uint64_t hex_value(std::string_view digits) {
  uint64_t value = 0;
  for (char c : digits) value = value * 16 + static_cast<uint64_t>(is_digit(c) ? c - '0' : c - 'a' + 10);
  return value;
}

struct Identifier {
  std::string_view name;
  uint64_t disambiguator = 0;
  bool punycode = false;
};

// Reads tokens from a position. After a failure ok() stays false, and all values are meaningless.
class Cursor {
 public:
  explicit Cursor(std::string_view text) : text_(text) {}

  [[nodiscard]] bool ok() const { return ok_; }
  [[nodiscard]] bool at_end() const { return position_ == text_.size(); }
  [[nodiscard]] size_t position() const { return position_; }
  void go_to(size_t position) { position_ = position; }
  void fail() { ok_ = false; }

  [[nodiscard]] char peek() const { return position_ < text_.size() ? text_[position_] : '\0'; }

  char next() {
    if (position_ >= text_.size()) {
      ok_ = false;
      return '\0';
    }
    return text_[position_++];
  }

  bool eat(char c) {
    if (!ok_ || peek() != c || position_ >= text_.size()) return false;
    ++position_;
    return true;
  }

  // base-62-number: "_" is 0, "0_" is 1, and so on.
  uint64_t base62() {
    if (eat('_')) return 0;
    uint64_t value = 0;
    while (ok_ && !eat('_')) {
      char c = next();
      uint64_t digit = 0;
      if (is_digit(c))
        digit = static_cast<uint64_t>(c - '0');
      else if (is_lower(c))
        digit = static_cast<uint64_t>(c - 'a') + 10;
      else if (is_upper(c))
        digit = static_cast<uint64_t>(c - 'A') + 36;
      else
        ok_ = false;
      if (value > (UINT64_MAX - digit - 1) / 62) ok_ = false;
      if (!ok_) return 0;
      value = value * 62 + digit;
    }
    return value + 1;
  }

  uint64_t optional_base62(char tag) { return eat(tag) ? base62() + 1 : 0; }

  uint64_t decimal() {
    if (!is_digit(peek())) ok_ = false;
    if (eat('0')) return 0;
    uint64_t value = 0;
    while (ok_ && is_digit(peek()) && value <= text_.size())
      value = value * 10 + static_cast<uint64_t>(next() - '0');
    return value;
  }

  Identifier identifier() {
    Identifier result;
    result.disambiguator = optional_base62('s');
    result.punycode = eat('u');
    uint64_t size = decimal();
    eat('_');
    if (!ok_ || size > text_.size() - position_) {
      ok_ = false;
      return result;
    }
    result.name = text_.substr(position_, size);
    position_ += size;
    return result;
  }

  std::string_view hex_digits() {
    size_t start = position_;
    while (is_digit(peek()) || (peek() >= 'a' && peek() <= 'f')) ++position_;
    std::string_view digits = text_.substr(start, position_ - start);
    if (!eat('_')) ok_ = false;
    return digits;
  }

 private:
  std::string_view text_;
  size_t position_ = 0;
  bool ok_ = true;
};

}  // namespace hm::symbol::rust
