// SPDX-License-Identifier: MIT
// Encoder for protocol buffer messages (https://protobuf.dev/programming-guides/encoding/).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace hm::exports {

// Builds the bytes of one message, field by field.
class Message {
 public:
  // Appends an int64, uint64 or bool. Omits 0, which is the default of an absent field.
  Message& number(uint32_t field, uint64_t value) { return value == 0 ? *this : present(field, value); }

  // Appends an int64, uint64 or bool, even if it is 0.
  Message& present(uint32_t field, uint64_t value) {
    varint(uint64_t{field} << 3 | kVarint);
    varint(value);
    return *this;
  }

  // Appends a fixed64. Omits 0.
  Message& fixed64(uint32_t field, uint64_t value) {
    if (value == 0) return *this;
    varint(uint64_t{field} << 3 | kFixed64);
    for (unsigned shift = 0; shift < 64; shift += 8) bytes_ += static_cast<char>(value >> shift);
    return *this;
  }

  // Appends a string or a message, even if it is empty.
  Message& bytes(uint32_t field, std::string_view value) {
    varint(uint64_t{field} << 3 | kLengthDelimited);
    varint(value.size());
    bytes_ += value;
    return *this;
  }

  // Appends a packed repeated field of numbers.
  template <typename Numbers>
  Message& packed(uint32_t field, const Numbers& numbers) {
    Message all;
    for (uint64_t each : numbers) all.varint(each);
    return bytes(field, all.text());
  }

  [[nodiscard]] const std::string& text() const { return bytes_; }

 private:
  static constexpr uint64_t kVarint = 0, kFixed64 = 1, kLengthDelimited = 2;  // wire types

  void varint(uint64_t value) {
    for (; value >= 0x80; value >>= 7) bytes_ += static_cast<char>(value | 0x80);
    bytes_ += static_cast<char>(value);
  }

  std::string bytes_;
};

}  // namespace hm::exports
