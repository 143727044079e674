// SPDX-License-Identifier: MIT
// Reads and writes bytes with every bound checked: a reader that runs past its end fails and stays failed.
#pragma once

#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>
#include <type_traits>
#include <vector>

namespace hm {

using Bytes = std::span<const std::byte>;

template <std::unsigned_integral T>
[[nodiscard]] constexpr T byte_swap(T value) {
  T swapped = 0;
  for (size_t i = 0; i < sizeof(T); ++i) {
    swapped = static_cast<T>(static_cast<T>(swapped << 8) | static_cast<T>(value & 0xff));
    value = static_cast<T>(value >> 8);
  }
  return swapped;
}

// Reads unsigned integers in the file's byte order. After a read past the end every read returns zero and
// ok() is false, so a decoder needs only one check, at its end.
class ByteReader {
 public:
  explicit ByteReader(Bytes bytes, bool swap = false) : bytes_(bytes), swap_(swap) {}

  template <std::unsigned_integral T>
  T read() {
    T value = 0;
    Bytes raw = take(sizeof(T));
    if (raw.size() == sizeof(T)) std::memcpy(&value, raw.data(), sizeof(T));
    return swap_ ? byte_swap(value) : value;
  }

  uint8_t u8() { return read<uint8_t>(); }
  uint16_t u16() { return read<uint16_t>(); }
  uint32_t u32() { return read<uint32_t>(); }
  uint64_t u64() { return read<uint64_t>(); }

  // Returns the next `size` bytes. Returns an empty span and marks the reader as failed if fewer remain.
  Bytes take(size_t size) {
    if (size > bytes_.size() - offset_) {
      ok_ = false;
      offset_ = bytes_.size();
      return {};
    }
    Bytes taken = bytes_.subspan(offset_, size);
    offset_ += size;
    return taken;
  }

  void skip(size_t size) { (void)take(size); }

  // Reads `size` bytes and returns the string in them, which ends at the first NUL or after all `size` bytes.
  std::string_view text(size_t size) {
    Bytes raw = take(size);
    std::string_view all(reinterpret_cast<const char*>(raw.data()), raw.size());
    return all.substr(0, all.find('\0'));
  }

  [[nodiscard]] size_t offset() const { return offset_; }
  [[nodiscard]] size_t remaining() const { return bytes_.size() - offset_; }
  [[nodiscard]] Bytes rest() const { return bytes_.subspan(offset_); }
  [[nodiscard]] bool swaps() const { return swap_; }
  [[nodiscard]] bool ok() const { return ok_; }

 private:
  Bytes bytes_;
  size_t offset_ = 0;
  bool swap_ = false;
  bool ok_ = true;
};

// Appends native-endian values to a buffer that grows.
class ByteWriter {
 public:
  template <typename T>
  requires std::is_trivially_copyable_v<T>
  void write(const T& value) {
    const auto* raw = reinterpret_cast<const std::byte*>(&value);
    bytes_.insert(bytes_.end(), raw, raw + sizeof(T));
  }

  void u8(uint8_t value) { write(value); }
  void u16(uint16_t value) { write(value); }
  void u32(uint32_t value) { write(value); }
  void u64(uint64_t value) { write(value); }
  void append(Bytes bytes) { bytes_.insert(bytes_.end(), bytes.begin(), bytes.end()); }
  void text(std::string_view text) { append(std::as_bytes(std::span(text))); }

  // Appends zero bytes up to the next multiple of `alignment`.
  void pad_to(size_t alignment) {
    while (bytes_.size() % alignment != 0) bytes_.push_back(std::byte{0});
  }

  // Overwrites an earlier value; for sizes that are known only at the end.
  template <typename T>
  requires std::is_trivially_copyable_v<T>
  void patch(size_t offset, const T& value) { std::memcpy(bytes_.data() + offset, &value, sizeof(T)); }

  [[nodiscard]] size_t size() const { return bytes_.size(); }
  [[nodiscard]] Bytes bytes() const { return bytes_; }
  [[nodiscard]] std::vector<std::byte> take() && { return std::move(bytes_); }

 private:
  std::vector<std::byte> bytes_;
};

}  // namespace hm
