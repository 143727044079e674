// SPDX-License-Identifier: MIT
// Messages of protocol buffers (https://protobuf.dev/programming-guides/encoding/).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace hm::exports {

// The bytes of one message, field after field.
class Message {
 public:
  // int64, uint64, bool. 0 is what a field that is not there has.
  Message& number(uint32_t field, uint64_t value) {
    if (value == 0) return *this;
    varint(uint64_t{field} << 3 | kVarint);
    varint(value);
    return *this;
  }

  // fixed64; likewise.
  Message& fixed64(uint32_t field, uint64_t value) {
    if (value == 0) return *this;
    varint(uint64_t{field} << 3 | kFixed64);
    for (unsigned shift = 0; shift < 64; shift += 8) bytes_ += static_cast<char>(value >> shift);
    return *this;
  }

  // A string or a message, also an empty one.
  Message& bytes(uint32_t field, std::string_view value) {
    varint(uint64_t{field} << 3 | kLengthDelimited);
    varint(value.size());
    bytes_ += value;
    return *this;
  }

  // Repeated numbers, packed.
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
