// SPDX-License-Identifier: MIT
// For tests: builds the dump of a just-in-time compiler.
#pragma once

#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "base/bytes.h"

namespace hm::symbol {

// Writes a dump as a compiler does, in this machine's byte order or the other.
class Dump {
 public:
  // `flags` is 1 if the times come from the processor's own clock.
  explicit Dump(bool swap = false, uint64_t flags = 0) : swap_(swap) {
    u32(0x4a695444);
    u32(1);
    u32(40);
    for (uint32_t word : {62u, 0u, 1234u}) u32(word);  // machine, padding, process
    u64(1);
    u64(flags);
  }

  // Sets the time of the records that follow.
  Dump& at(uint64_t time_ns) {
    time_ns_ = time_ns;
    return *this;
  }

  Dump& load(uint64_t start, std::string_view name, std::string_view code) {
    begin(0, 8 + 4 * 8 + name.size() + 1 + code.size());
    u32(1234);
    u32(1234);
    u64(start);
    u64(start);
    u64(code.size());
    u64(7);
    text(name);
    out_.text(code);
    return *this;
  }
  Dump& move(uint64_t from, uint64_t to, uint64_t size) {
    begin(1, 8 + 5 * 8);
    u32(1234);
    u32(1234);
    for (uint64_t word : {to, from, to, size, uint64_t{7}}) u64(word);
    return *this;
  }
  Dump& lines(uint64_t start, const std::vector<std::pair<uint64_t, uint32_t>>& lines) {
    begin(2, 2 * 8 + lines.size() * 16 + 5 + (lines.size() - 1) * 2);
    u64(start);
    u64(lines.size());
    for (size_t i = 0; i < lines.size(); ++i) {
      u64(lines[i].first);
      u32(lines[i].second);
      u32(0);
      text(i == 0 ? "f.js" : "\xff");
    }
    return *this;
  }
  [[nodiscard]] Bytes bytes() const { return out_.bytes(); }

 private:
  void u32(uint32_t value) { out_.u32(swap_ ? byte_swap(value) : value); }
  void u64(uint64_t value) { out_.u64(swap_ ? byte_swap(value) : value); }
  void text(std::string_view text) {
    out_.text(text);
    out_.u8(0);
  }
  void begin(uint32_t type, size_t payload) {
    u32(type);
    u32(static_cast<uint32_t>(16 + payload));
    u64(time_ns_);
  }

  bool swap_;
  uint64_t time_ns_ = 5;
  ByteWriter out_;
};

}  // namespace hm::symbol
