// SPDX-License-Identifier: MIT
#include "record/attr.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "record/bit_field.h"

namespace hm::record {
namespace {

constexpr size_t kFlagsOffset = 40;  // offset of the word of bit-fields that begins with `disabled`
constexpr BitField kPreciseIp{15, 2};

uint64_t reverse_bits(uint64_t word) {
  uint64_t reversed = 0;
  for (int bit = 0; bit < 64; ++bit) reversed |= ((word >> bit) & 1) << (63 - bit);
  return reversed;
}

// All fields of the word have one bit, except precise_ip.
uint64_t native_flags(uint64_t word, bool swapped) {
  if (!swapped) return word;
  uint64_t flags = reverse_bits(word) & ~kPreciseIp.put(kPreciseIp.mask());
  return flags | kPreciseIp.put(kPreciseIp.get(word, true));
}

}  // namespace

size_t stored_attr_bytes(Bytes bytes, bool swap) {
  ByteReader in(bytes, swap);
  in.skip(sizeof(uint32_t));
  uint32_t size = in.u32();
  if (size == 0) size = PERF_ATTR_SIZE_VER0;  // the first versions wrote 0 for the size: perf_event_open(2)
  return in.ok() && size >= PERF_ATTR_SIZE_VER0 && size <= bytes.size() ? size : 0;
}

Result<perf_event_attr> decode_attr(Bytes bytes, bool swap) {
  size_t stored = stored_attr_bytes(bytes, swap);
  if (stored == 0)
    return make_error(ErrorCode::kDamaged, "an event's attr of {} bytes contains another size", bytes.size());
  std::array<std::byte, sizeof(perf_event_attr)> padded{};
  std::copy_n(bytes.begin(), std::min(stored, padded.size()), padded.begin());

  ByteReader in(padded, swap);
  perf_event_attr attr{};
  attr.type = in.u32();
  in.skip(sizeof attr.size);
  attr.size = sizeof attr;
  attr.config = in.u64();
  attr.sample_period = in.u64();
  attr.sample_type = in.u64();
  attr.read_format = in.u64();
  uint64_t flags = native_flags(in.u64(), swap);
  std::memcpy(reinterpret_cast<std::byte*>(&attr) + kFlagsOffset, &flags, sizeof flags);
  attr.wakeup_events = in.u32();
  attr.bp_type = in.u32();
  attr.config1 = in.u64();
  attr.config2 = in.u64();
  attr.branch_sample_type = in.u64();
  attr.sample_regs_user = in.u64();
  attr.sample_stack_user = in.u32();
  attr.clockid = static_cast<int32_t>(in.u32());
  attr.sample_regs_intr = in.u64();
  attr.aux_watermark = in.u32();
  attr.sample_max_stack = in.u16();
  in.skip(sizeof attr.__reserved_2);
  attr.aux_sample_size = in.u32();
  in.skip(sizeof(uint32_t));  // reserved, or aux_action since Linux 6.12
  attr.sig_data = in.u64();
  return attr;
}

}  // namespace hm::record
