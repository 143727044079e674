// SPDX-License-Identifier: MIT
// Conversions of the fuzzers' input.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <span>
#include <string_view>

#include "base/bytes.h"
#include "record/perf_record.h"
#include "record/sample.h"

namespace hm::fuzz {

inline Bytes input(const uint8_t* data, size_t size) { return std::as_bytes(std::span(data, size)); }

inline std::string_view text(const uint8_t* data, size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

// Removes and returns the text up to the next line feed.
inline std::string_view take_line(std::string_view& text) {
  std::string_view line = text.substr(0, text.find('\n'));
  text.remove_prefix(std::min(line.size() + 1, text.size()));
  return line;
}

// Aborts unless the condition holds. It must hold for all inputs.
inline void require(bool holds) {
  if (!holds) std::abort();
}

// Reads the parts of an attr that determine the layout of records. They take few bytes of input, and set no
// unknown field.
inline perf_event_attr read_attr(ByteReader& in) {
  perf_event_attr attr{};
  attr.size = sizeof attr;
  attr.sample_type = in.u32() & (PERF_SAMPLE_MAX - 1);
  attr.read_format = in.u8() & (PERF_FORMAT_MAX - 1);
  attr.sample_id_all = in.u8() & 1;
  attr.branch_sample_type = in.u32();
  attr.sample_regs_user = in.u64();
  attr.sample_regs_intr = in.u64();
  return attr;
}

// Reads the head of a record: a type, misc bits and a byte order.
inline record::Record read_record_head(ByteReader& in) {
  return {.type = in.u8(), .misc = in.u16(), .swap = in.u8() % 2 != 0};
}

// Reads every byte of a sample's views, so that a sanitizer detects views out of bounds.
inline void touch(const record::Sample& sample) {
  uint64_t sum = sample.latency_cycles();
  for (const record::U64View& words :
       {sample.callchain, sample.user_regs.values, sample.intr_regs.values, sample.branches.counters}) {
    for (uint64_t word : words) sum += word;
  }
  for (size_t i = 0; i < sample.branches.size(); ++i) sum += sample.branches[i].to;
  for (size_t i = 0; i < sample.read.size(); ++i) sum += sample.read[i].value;
  for (Bytes bytes : {sample.raw, sample.user_stack.bytes, sample.aux}) {
    for (std::byte byte : bytes) sum += std::to_integer<uint64_t>(byte);
  }
  static volatile uint64_t looked_at;
  looked_at = sum;
  (void)looked_at;
}

}  // namespace hm::fuzz
