// SPDX-License-Identifier: MIT
#include "record/record_search.h"

#include "record/perf_record.h"

namespace hm::record {
namespace {

constexpr int kChain = 4;
constexpr uint32_t kKernelTypes = 32;                 // leaves room for about ten future types
constexpr uint32_t kLastUserType = kHeaderAttr + 31;  // leaves room for future types
constexpr uint16_t kMiscBitsInUse = 0xf007;  // PERF_RECORD_MISC_*: the mode bits and the upper four bits

// Returns the record size in the header at `offset`; 0 if it does not look like a header.
size_t plausible_size(Bytes bytes, size_t offset, bool swap) {
  ByteReader in(bytes.subspan(offset), swap);
  uint32_t type = in.u32();
  uint16_t misc = in.u16();
  size_t size = in.u16();
  bool of_kernel = type > 0 && type < kKernelTypes && size % 8 == 0;
  bool of_perf = type >= kHeaderAttr && type <= kLastUserType;
  bool plausible = in.ok() && (of_kernel || of_perf) && (misc & ~kMiscBitsInUse) == 0;
  return plausible && size >= kRecordHeaderBytes && size <= bytes.size() - offset ? size : 0;
}

bool is_finished_round(Bytes bytes, size_t offset, bool swap) {
  ByteReader in(bytes.subspan(offset), swap);
  bool found = in.u32() == kFinishedRound && in.u16() == 0 && in.u16() == kRecordHeaderBytes;
  return found && in.ok();
}

bool begins_chain(Bytes bytes, size_t offset, bool swap) {
  for (int length = 0; length < kChain; ++length) {
    if (offset == bytes.size()) return length >= 2;
    size_t size = plausible_size(bytes, offset, swap);
    if (size == 0) return false;
    offset += size;
  }
  return true;
}

}  // namespace

std::optional<size_t> find_records(Bytes bytes, size_t from, bool swap) {
  for (size_t at = from; at < bytes.size(); ++at) {
    if (is_finished_round(bytes, at, swap) || begins_chain(bytes, at, swap)) return at;
  }
  return std::nullopt;
}

}  // namespace hm::record
